/** Authenticates access tokens. */

import { type AddressList, createAddressList } from "../platform/addresses/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import type { Db } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { Refusal } from "../limits/index.ts";
import type { Caller } from "./caller.ts";
import {
  createCredentialRegistry,
  type CredentialRegistry,
  type Holder,
  type RegistryDeps,
} from "./credential-registry.ts";

const TOKEN = /^lp_[A-Za-z0-9]{40}$/;

interface TokenHolder extends Holder {
  readonly expires_ts: number | null;
  readonly addresses: AddressList | undefined;
}

interface Row extends Pick<Caller, "permissions" | "rate_limit" | "concurrency_limit"> {
  readonly expires_ts: number | null;
  readonly ip_allow_list: readonly string[];
}

/** Finds the caller that an access token identifies. */
export interface TokenRegistry extends Pick<CredentialRegistry<TokenHolder>, "forget" | "close"> {
  /** Throws 401, or 403 if the address is not in the token's allowlist. */
  readonly authenticate: (
    authorization: string | undefined,
    address: string,
    requestId: string,
  ) => Promise<Caller>;
}

export function createTokenRegistry(db: Db, deps: RegistryDeps): TokenRegistry {
  const registry = createCredentialRegistry<Row, TokenHolder>(db, deps, {
    kind: "token",
    table: "access_tokens",
    columns: [
      "c.permissions",
      "c.expires_ts",
      "c.ip_allow_list",
      "c.rate_limit",
      "c.concurrency_limit",
    ],
    holderOf: (
      { expires_ts, ip_allow_list, permissions, rate_limit, concurrency_limit },
      owner,
    ) => ({
      caller: { ...owner, permissions, rate_limit, concurrency_limit },
      expires_ts,
      addresses: createAddressList(ip_allow_list),
    }),
    subjectOf: ({ credential }) => ({ subjectType: "access_token", subjectId: credential.id }),
  });
  return {
    authenticate: async (authorization, from, requestId) => {
      const token = tokenIn(authorization);
      const holder = token === undefined ? undefined : await registry.find(token);
      const now_s = epochSeconds(deps.clock);
      const note = (reason: Refusal["reason"]): void =>
        registry.noteRefusal({ reason, from, requestId }, holder);
      if (holder === undefined) {
        if (authorization !== undefined) note("unknown_token");
        throw unauthenticated();
      }
      if (holder.expires_ts !== null && holder.expires_ts <= now_s) {
        note("expired");
        throw unauthenticated();
      }
      if (holder.addresses?.(from) === false) {
        note("address_not_allowed");
        throw new AppError("address_refused");
      }
      return registry.use(holder, requestId, now_s);
    },
    forget: registry.forget,
    close: registry.close,
  };
}

export const unauthenticated = (detail?: string): AppError =>
  new AppError("unauthenticated", {
    ...(detail !== undefined && { detail }),
    headers: { "www-authenticate": 'Bearer realm="leadport"' },
  });

/**
 * Parses `Bearer <token>`, ignoring the case of "Bearer". Returns undefined if the token does not have Leadport's
 * format.
 */
function tokenIn(authorization: string | undefined): string | undefined {
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return TOKEN.test(token) ? token : undefined;
}
