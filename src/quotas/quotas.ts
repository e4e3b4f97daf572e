/** The tenants' quotas in this process, and the function that operators use to set limits. */

import { SERVICE, type Quota, type TenantId } from "../audit/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { TenantQuota } from "./tenant-quota.ts";
import { updateTenant, type TenantDeps } from "../tenants/index.ts";
import {
  hasLimit,
  limitsOf,
  markDue,
  readQuota,
  type DefaultLimits,
  type Limits,
  type OwnLimits,
} from "./usage.ts";

export interface Quotas {
  /** Returns the quota of a tenant with these limits, or undefined if it is unlimited. */
  readonly of: (tenantId: TenantId, own: OwnLimits) => Quota | undefined;
  /** Reads a tenant's limits and returns its quota. */
  readonly find: (tenantId: TenantId) => Promise<Quota | undefined>;
}

/**
 * Maximum number of cached quotas. When there are more, the cache is cleared. This also discards what this process has
 * counted since the last measurements.
 */
const TENANTS_MAX = 10_000;

export function createQuotas(sql: Db, defaults: DefaultLimits): Quotas {
  const known = new Map<TenantId, TenantQuota>();
  const quotaOf = (tenantId: TenantId, limits: Limits): Quota | undefined => {
    if (!hasLimit(limits)) return undefined;
    const found = known.get(tenantId);
    if (found !== undefined) return found;
    if (known.size >= TENANTS_MAX) known.clear();
    const made = new TenantQuota({
      read: (db) => readQuota(db, tenantId, defaults),
      // Failures can be ignored. Another process will request the measurement, or this process will after a restart.
      mark: (due_ms) => void markDue(sql, tenantId, due_ms).catch(() => undefined),
    });
    known.set(tenantId, made);
    return made;
  };
  return {
    of: (tenantId, own) => quotaOf(tenantId, limitsOf(own, defaults)),
    find: async (tenantId) => quotaOf(tenantId, (await readQuota(sql, tenantId, defaults)).limits),
  };
}

/**
 * Sets a tenant's limits. Null means the installation's limit, 0 means unlimited, and undefined
 * leaves the limit unchanged.
 */
export const setLimits = (
  db: Db,
  deps: TenantDeps,
  tenantId: TenantId,
  given: Partial<OwnLimits>,
): Promise<OwnLimits> =>
  transaction(db, async (tx) => {
    const [before] = await run<OwnLimits[]>(tx)`
      select max_records, max_bytes from tenants where id = ${tenantId} for update`;
    const next = { max_records: null, max_bytes: null, ...before, ...given };
    await updateTenant({ db: tx, tenantId, actor: SERVICE }, deps, { ...before }, next);
    return next;
  });
