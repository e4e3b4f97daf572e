/**
 * What a tenant may store. Every statement that adds rows for a caller runs in `growing`, which refuses it
 * where the tenant would exceed its quota. Tenants without a quota have none in their scope.
 */

import { isTx, whenEnded } from "../platform/database/index.ts";
import type { Growth, Scope } from "./scope.ts";

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
