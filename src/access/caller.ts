/** The caller of a request: tenant, credential and user. */

import type { Actor, Scope } from "../audit/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import type { LimitedCredential } from "../platform/operations/index.ts";
import type { Identity } from "../platform/http/index.ts";
import type { Permission } from "./permissions.ts";
import type { Person, Tenant } from "../tenants/index.ts";

/** The credential of a request: an access token, or the session of a signed-in user. */
export interface CallerCredential {
  readonly kind: "token" | "session";
  readonly id: string;
}

export interface Caller {
  readonly tenant: Tenant;
  readonly credential: CallerCredential;
  readonly person: Person;
  readonly permissions: readonly Permission[];
  /** Requests per minute. Null means the installation's limit; 0 means unlimited. */
  readonly rate_limit: number | null;
  /** Concurrent requests per process. Null means the installation's limit; 0 means unlimited. */
  readonly concurrency_limit: number | null;
  readonly requestId: string;
}

/** Returns a scope that consists of a connection, the caller's tenant, and the caller as the actor. */
export const scopeOf = <D extends Db | Tx>(db: D, caller: Caller): Scope<D> => ({
  db,
  tenantId: caller.tenant.id,
  actor: actorOf(caller),
  quota: caller.tenant.quota,
});

/** Returns the actor for a caller: the token with its user's name, or the signed-in user. */
const actorOf = ({ credential, person, requestId }: Caller): Actor =>
  credential.kind === "token"
    ? { kind: "token", id: credential.id, name: person.name, requestId }
    : { kind: "person", id: person.id, name: person.name, requestId };

/**
 * Returns the credential that the caller's Idempotency-Keys and limits belong to: the access token or, for a session,
 * the user. All of a user's sessions therefore share them.
 */
export const callerCredential = (caller: Caller): LimitedCredential => {
  const { tenant, credential, person, rate_limit, concurrency_limit } = caller;
  const id = credential.kind === "token" ? `token ${credential.id}` : `person ${person.id}`;
  return { tenantId: tenant.id, id, rate_limit, concurrency_limit };
};

/** Returns the identity to log. A session is identified by its own id and not by its user's id. */
export const callerIdentity = ({ tenant, credential }: Caller): Identity => ({
  tenant: tenant.id,
  credential: `${credential.kind} ${credential.id}`,
});
