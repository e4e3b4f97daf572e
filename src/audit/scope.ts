/** The scope of a function: connection, tenant and actor. */

import { type Db, isTx, type Tx } from "../platform/database/index.ts";
import type { Json } from "../platform/json/index.ts";
import type { AppError } from "../platform/errors/index.ts";

/** The storage that a statement adds: records of all types, and the estimated bytes of all rows. */
export interface Growth {
  readonly records: number;
  readonly bytes: number;
}

/** The number of records that still fit. */
export interface Room {
  readonly records: number;
  /** Returns the error for `more` records that do not fit after `added` have been added. */
  readonly refusal: (added: number, more: number) => AppError;
}

/** The quota of one tenant. */
export interface Quota {
  /**
   * Reserves space. Call the returned function when the write has ended, with whether it was committed. Throws 403 if the
   * space would exceed the quota.
   */
  readonly reserve: (scope: Scope, growth: Growth) => Promise<(isCommitted: boolean) => void>;
  readonly room: (scope: Scope) => Promise<Room>;
  /** Counts writes without rejecting any. */
  readonly unlimited: Quota;
}

export type TenantId = string & { readonly __tenant: never };

/** The actor of a change: a token, a signed-in user, a partner, or the service itself. */
export interface Actor {
  readonly kind: "token" | "person" | "partner" | "service";
  readonly id: string;
  readonly name: string;
  readonly requestId: string | null;
}

/** The connection, tenant and actor of a function. Every function that reads or writes tenant data takes one first. */
export interface Scope<D extends Db | Tx = Db | Tx> {
  readonly db: D;
  readonly tenantId: TenantId;
  readonly actor: Actor;
  /** The storage quota for callers; undefined without a quota, and for the service's own work. */
  readonly quota?: Quota | undefined;
}

/** Whether a scope is already inside a transaction. */
export const isInTx = (scope: Scope): scope is Scope<Tx> => isTx(scope.db);

/** The actor of automatic work: expiration, name updates, first startup. */
export const SERVICE: Actor = { kind: "service", id: "service", name: "service", requestId: null };

/** The changed fields as `{"<field>": [old, new]}`. Secrets are masked. */
export type ChangedFields = Readonly<Record<string, readonly [old: Json, now: Json]>>;
