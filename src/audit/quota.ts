/**
 * Enforces storage quotas. Every statement that adds rows for a caller runs in `growing`, which rejects the statement
 * if the tenant would exceed its quota.
 */

import { isTx, whenEnded } from "../platform/database/index.ts";
import type { Growth, Scope } from "./scope.ts";

/** The estimated size of a row without its contents: ids, timestamps and header. */
export const ROW_bytes = 200;

/** Runs a statement that adds rows. Throws 403 instead if it would exceed the tenant's quota. */
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

/** Returns a scope without a quota limit, for work that eventually reduces storage, such as a merge. */
export const withoutLimit = <S extends Scope>(scope: S): S =>
  scope.quota === undefined ? scope : { ...scope, quota: scope.quota.unlimited };
