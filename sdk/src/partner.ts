/**
 * A partner's credentials: an access code that is exchanged for tokens. Each token is replaced
 * before it expires.
 */

import { createCalls } from "./http/call.ts";
import type { Credentials } from "./http/credentials.ts";
import { watched } from "./http/hooks.ts";
import { required, type CheckedSettings } from "./http/settings.ts";
import { createSend, sendOnce } from "./http/transport.ts";

export interface PartnerCredentials {
  /** The Partner ID. Default: the environment variable LEADPORT_PARTNER_ID. */
  readonly partner_id?: string | undefined;
  /** The access code. Default: the environment variable LEADPORT_ACCESS_CODE. */
  readonly access_code?: string | undefined;
}

interface Token {
  readonly header: string;
  readonly until_ms: number;
}

/** A token is replaced this long before it expires. */
const MARGIN_ms = 60_000;

/**
 * Returns the credentials. Concurrent calls share one exchange. A rejected code is not retried,
 * because failed attempts are counted. Temporary failures (no response, 503) are retried by the
 * call that needs the token. Throws a TypeError if the partner ID or the access code is missing.
 */
export function partnerCredentials(
  settings: CheckedSettings,
  given: PartnerCredentials,
): Credentials {
  const partner_id = required(given.partner_id, {
    option: "partner_id",
    variable: "LEADPORT_PARTNER_ID",
    what: "a partner id",
  });
  const access_code = required(given.access_code, {
    option: "access_code",
    variable: "LEADPORT_ACCESS_CODE",
    what: "an access code",
  });
  const { call } = createCalls(
    createSend({ ...settings, retry: false }, watched(sendOnce, settings)),
  );
  let current: Promise<Token> | undefined;

  const exchange = async (): Promise<Token> => {
    const asked_ms = Date.now();
    const { data } = await call("post", "/crm/partner/token", {
      body: { partner_id, access_code },
    });
    const { access_token, expires_in } = data as { access_token: string; expires_in: number };
    const lasts_ms = expires_in * 1000;
    return {
      header: `Partner ${access_token}`,
      until_ms: asked_ms + lasts_ms - Math.min(MARGIN_ms, lasts_ms / 2),
    };
  };

  const sharedToken = (): Promise<Token> => {
    current ??= exchange().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  };

  const header = async (refused?: string): Promise<string> => {
    const asked = sharedToken();
    const token = await asked;
    if (token.header !== refused && token.until_ms > Date.now()) return token.header;
    // Of concurrent calls, only the first one discards the token.
    if (current === asked) current = undefined;
    return (await sharedToken()).header;
  };

  return { header, renew: header };
}
