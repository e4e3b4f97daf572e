/** Who asks: the tenant, by what they came in, and the person behind it. */

import type { Actor, Quota, Scope, TenantId } from "../audit/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import type { LimitedCredential } from "../platform/operations/index.ts";
import type { Identity } from "../platform/http/index.ts";
import type { Members } from "../platform/validation/index.ts";
import type { CountryCode } from "libphonenumber-js";
import type { Permission } from "./permissions.ts";
import type { SETTINGS } from "./tenant-settings.ts";

/** A tenant as requests need it. */
export interface Tenant extends Members<typeof SETTINGS> {
  readonly id: TenantId;
  readonly default_country: CountryCode;
  /** Limits what it stores; undefined without a limit. */
  readonly quota?: Quota | undefined;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

/** By what somebody comes in: an access token, or the session of a person who signed in. */
export interface CallerCredential {
  readonly kind: "token" | "session";
  readonly id: string;
}

export interface Caller {
  readonly tenant: Tenant;
  readonly credential: CallerCredential;
  readonly person: Person;
  readonly permissions: readonly Permission[];
  /** Requests a minute; null is the installation's limit, 0 is none. */
  readonly rate_limit: number | null;
  /** Requests in progress at once in a process; null is the installation's limit, 0 is none. */
  readonly concurrency_limit: number | null;
  readonly requestId: string;
}

/** The caller's tenant on a connection, with the caller as the one who acts. */
export const scopeOf = <D extends Db | Tx>(db: D, caller: Caller): Scope<D> => ({
  db,
  tenantId: caller.tenant.id,
  actor: actorOf(caller),
  quota: caller.tenant.quota,
});

/** A token acts as itself, in the name of its person; who signed in acts as a person. */
const actorOf = ({ credential, person, requestId }: Caller): Actor =>
  credential.kind === "token"
    ? { kind: "token", id: credential.id, name: person.name, requestId }
    : { kind: "person", id: person.id, name: person.name, requestId };

/**
 * Whose an Idempotency-Key is, and by whose limit a call is counted: the token's, or the person's,
 * whichever of its sessions it comes by.
 */
export const callerCredential = (caller: Caller): LimitedCredential => {
  const { tenant, credential, person, rate_limit, concurrency_limit } = caller;
  const id = credential.kind === "token" ? `token ${credential.id}` : `person ${person.id}`;
  return { tenantId: tenant.id, id, rate_limit, concurrency_limit };
};

/** Whose credential the log shows: a session by its id, not by its user. */
export const callerIdentity = ({ tenant, credential }: Caller): Identity => ({
  tenant: tenant.id,
  credential: `${credential.kind} ${credential.id}`,
});
