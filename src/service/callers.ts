/** Authenticates API callers of tenants and checks their permissions. */

import { type Caller, type createTokenRegistry, grants, isPermission } from "../access/index.ts";
import type { SessionRegistry } from "../people/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { Admit, Authenticate } from "../platform/operations/index.ts";

export interface Callers {
  readonly authenticate: Authenticate<Caller>;
  /** Authenticates the caller again, and throws 403 if it lacks the permission. */
  readonly admit: Admit<Caller>;
  /** Clears the cache of callers. */
  readonly forget: () => void;
}

export function createCallers(
  tokens: ReturnType<typeof createTokenRegistry>,
  sessions: SessionRegistry,
): Callers {
  const authenticate: Authenticate<Caller> = (request) => {
    const { headers, ip, id } = request;
    // Browser pages authenticate with a cookie, and programs with the header.
    const hasOnlyCookie = headers.authorization === undefined && headers.cookie !== undefined;
    return hasOnlyCookie
      ? sessions.authenticate(request)
      : tokens.authenticate(headers.authorization, ip, id);
  };
  return {
    authenticate,
    admit: async (request, permission) => {
      const caller = await authenticate(request, true);
      refuseWithout(caller, permission);
      return caller;
    },
    forget: () => {
      tokens.forget();
      sessions.forget();
    },
  };
}

/** Throws 403 if a caller lacks a permission. Every credential of a tenant has the permission `own`. */
export function refuseWithout({ permissions, credential }: Caller, permission: string): void {
  if (permission === "own") return;
  if (isPermission(permission) && grants(permissions, permission)) return;
  const who = credential.kind === "token" ? "This token" : "Your role";
  const detail = `${who} lacks the ${permission} permission`;
  throw new AppError("not_permitted", { detail });
}
