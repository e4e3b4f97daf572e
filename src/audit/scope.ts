/** The scope that functions work in: connection, tenant and actor. */

import { type Db, isTx, type Tx } from "../platform/database/index.ts";
import type { Json } from "../platform/json/index.ts";
import type { AppError } from "../platform/errors/index.ts";

/** The storage that a statement adds: the number of records of any type, and the estimated size of all rows. */
export interface Growth {
  readonly records: number;
  readonly bytes: number;
}

/** The number of records that can still be added. */
export interface Room {
  readonly records: number;
  /** Returns the error to throw if the quota has space for `added` records but not for `more` additional ones. */
  readonly refusal: (added: number, more: number) => AppError;
}

/** The quota of one tenant. */
export interface Quota {
  /**
   * Reserves space for a write. When the write has ended, call the returned function. Its argument is whether the write
   * was committed. Throws 403 if the write would exceed the quota.
   */
  readonly reserve: (scope: Scope, growth: Growth) => Promise<(isCommitted: boolean) => void>;
  readonly room: (scope: Scope) => Promise<Room>;
  /** A variant of the quota that counts writes without rejecting them. */
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

/**
 * The connection, tenant and actor that a function uses. Every function that reads or writes tenant data takes a scope
 * as its first parameter.
 */
export interface Scope<D extends Db | Tx = Db | Tx> {
  readonly db: D;
  readonly tenantId: TenantId;
  readonly actor: Actor;
  /** Undefined if the tenant has no quota, and for the service's own work. */
  readonly quota?: Quota | undefined;
}

/** Whether a scope is already inside a transaction. */
export const isInTx = (scope: Scope): scope is Scope<Tx> => isTx(scope.db);

/** The actor for automatic work: expiration, name updates, and the first startup. */
export const SERVICE: Actor = { kind: "service", id: "service", name: "service", requestId: null };

/** The changed fields as `{"<field>": [old, new]}`. Secrets are masked. */
export type ChangedFields = Readonly<Record<string, readonly [old: Json, now: Json]>>;
