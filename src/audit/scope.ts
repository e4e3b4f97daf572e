/** Whose data a function touches, and who acts. */

import { type Db, isTx, type Tx } from "../platform/database/index.ts";
import type { Json } from "../platform/json/index.ts";
import type { AppError } from "../platform/errors/index.ts";

/** What a statement adds: records of all types, and bytes of all rows (estimated). */
export interface Growth {
  readonly records: number;
  readonly bytes: number;
}

/** How many more records fit. */
export interface Room {
  readonly records: number;
  /** The error for `more` records that do not fit, once `added` have been added. */
  readonly refusal: (added: number, more: number) => AppError;
}

/** The quota of one tenant. */
export interface Quota {
  /**
   * Reserves space. The result must be called when the write has ended, with whether it was committed.
   * Throws a 403 if the space would exceed the quota.
   */
  readonly reserve: (scope: Scope, growth: Growth) => Promise<(isCommitted: boolean) => void>;
  readonly room: (scope: Scope) => Promise<Room>;
  /** Counts, but refuses nothing. */
  readonly unlimited: Quota;
}

export type TenantId = string & { readonly __tenant: never };

/** Whoever acts: a token, a person who signed in, a partner, or the service itself. */
export interface Actor {
  readonly kind: "token" | "person" | "partner" | "service";
  readonly id: string;
  readonly name: string;
  readonly requestId: string | null;
}

/** Whose data we are in, and who acts. Every function that touches tenant data takes one first. */
export interface Scope<D extends Db | Tx = Db | Tx> {
  readonly db: D;
  readonly tenantId: TenantId;
  readonly actor: Actor;
  /** Limits what is stored for a caller. Undefined without a quota, and for the service's own work. */
  readonly quota?: Quota | undefined;
}

/** Whether a scope is inside a transaction already. */
export const isInTx = (scope: Scope): scope is Scope<Tx> => isTx(scope.db);

/** What the service does by itself: expiry, following names, first start. */
export const SERVICE: Actor = { kind: "service", id: "service", name: "service", requestId: null };

/** `{"<field>": [old, new]}` of the fields that changed; secrets come masked. */
export type ChangedFields = Readonly<Record<string, readonly [old: Json, now: Json]>>;
