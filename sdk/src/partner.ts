/** A partner's credentials: a code that is exchanged for a token, again before the token ends. */

import { createCalls } from "./call.ts";
import { createSend, type Credentials, type TransportSettings } from "./transport.ts";

export interface PartnerCredentials {
  readonly partner_id: string;
  readonly access_code: string;
}

interface Token {
  readonly header: string;
  readonly until_ms: number;
}

/** So long before its end a token is not used any more. */
const MARGIN_ms = 60_000;

/**
 * Calls that wait for a token wait for one exchange. A refused code is not tried again: wrong ones
 * are counted. What passes (no answer, 503) is tried again by the call that needs the token.
 */
export function partnerCredentials(
  settings: TransportSettings,
  { partner_id, access_code }: PartnerCredentials,
): Credentials {
  const { call } = createCalls(createSend({ ...settings, retry: false }, undefined));
  let current: Promise<Token> | undefined;

  const exchange = async (): Promise<Token> => {
    const asked_ms = Date.now();
    const { data } = await call("post", "/crm/partner/token", {
      body: { partner_id, access_code },
      idempotencyKey: false,
    });
    const { access_token, expires_in } = data as { access_token: string; expires_in: number };
    const lasts_ms = expires_in * 1000;
    return {
      header: `Partner ${access_token}`,
      until_ms: asked_ms + lasts_ms - Math.min(MARGIN_ms, lasts_ms / 2),
    };
  };

  const renewed = async (): Promise<Token> => {
    const asked = exchange();
    current = asked;
    try {
      return await asked;
    } catch (error) {
      if (current === asked) current = undefined;
      throw error;
    }
  };

  const header = async (): Promise<string> => {
    const token = await (current ?? renewed());
    return (token.until_ms > Date.now() ? token : await renewed()).header;
  };

  return {
    header,
    renew: async (refused) => {
      const token = await current;
      if (token !== undefined && token.header !== refused) return token.header;
      return (await renewed()).header;
    },
  };
}
