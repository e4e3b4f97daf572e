/**
 * What a tenant may store. Every statement that adds rows for a caller runs in `growing`, which refuses it
 * where the tenant would exceed its quota. Tenants without a quota have none in their scope.
 */

import { isTx, whenEnded } from "../platform/db.ts";
import type { AppError } from "../platform/errors.ts";
import type { Scope } from "./index.ts";

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

/** A row without its contents: ids, timestamps, the header. */
export const ROW_bytes = 200;

/** Runs a statement that adds rows. Throws a 403 instead if the tenant's quota does not allow it. */
export async function growing<T>(
  scope: Scope,
  growth: () => Growth,
  work: () => PromiseLike<T>,
): Promise<T> {
  const { quota, db } = scope;
  if (quota === undefined) return work();
  const end = await quota.reserve(scope, growth());
  if (isTx(db)) {
    whenEnded(db, end);
    return work();
  }
  try {
    const done = await work();
    end(true);
    return done;
  } catch (error) {
    end(false);
    throw error;
  }
}

/** For work that reduces what is stored in the end, such as a merge: nothing of it is refused. */
export const withoutLimit = <S extends Scope>(scope: S): S =>
  scope.quota === undefined ? scope : { ...scope, quota: scope.quota.unlimited };
