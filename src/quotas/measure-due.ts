/** Selects the next tenant whose storage the worker measures. */

import sql from "sql-template-tag";
import type { TenantId } from "../audit/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { measureTenant } from "./measure-usage.ts";
import { readQuota, type DefaultLimits } from "./usage.ts";

/** How long a tenant is reserved for the worker that measures it. */
const LEASE_ms = 30 * 60_000;
/** How often to search for tenants whose storage has never been measured. */
const SEARCH_EVERY_ms = 10_000;

/** Creates a function that measures the next due tenant. The function returns false if no tenant is due. */
export function createMeasuring(
  db: Db,
  recordTables: ReadonlySet<string>,
  defaults: DefaultLimits,
): () => Promise<boolean> {
  let searched_ms = -Infinity;
  const findUnmeasured = async (): Promise<TenantId | undefined> => {
    if (performance.now() - searched_ms < SEARCH_EVERY_ms) return undefined;
    const hasDefault = defaults.maxRecords > 0 || defaults.maxBytes > 0;
    const [row] = await run<{ id: TenantId }[]>(db)`
      select id from tenants n
       where ${
         hasDefault
           ? sql`(coalesce(max_records, ${defaults.maxRecords}::bigint) > 0
                  or coalesce(max_bytes, ${defaults.maxBytes}::bigint) > 0)`
           : sql`(max_records > 0 or max_bytes > 0)`
       }
         and not exists (select from tenant_usage u where u.tenant_id = n.id)
       limit 1`;
    searched_ms = performance.now();
    return row?.id;
  };
  return async () => {
    const claimed = await claimDue(db);
    const tenantId = claimed?.tenantId ?? (await findUnmeasured());
    if (tenantId === undefined) return false;
    const { limits } = await readQuota(db, tenantId, defaults);
    const withBytes = limits.bytes !== undefined;
    const lease_ms = claimed?.lease_ms ?? null;
    await measureTenant(db, tenantId, recordTables, { withBytes, lease_ms });
    // This tenant was found by the search. Search again right away, because there may be more tenants that have never
    // been measured.
    if (claimed === undefined) searched_ms = -Infinity;
    return true;
  };
}

/** Claims the tenant that has been overdue the longest, so that other workers skip it for LEASE_ms. */
async function claimDue(
  db: Db,
): Promise<{ readonly tenantId: TenantId; readonly lease_ms: number } | undefined> {
  const [due] = await run<{ tenantId: TenantId; due_ms: number; lease_ms: number }[]>(db)`
    select tenant_id as "tenantId", due_ms, (floor(extract(epoch from now()) * 1000) + ${LEASE_ms})::bigint as lease_ms
      from tenant_usage
     where due_ms <= extract(epoch from now()) * 1000
     order by due_ms limit 1`;
  if (due === undefined) return undefined;
  const { tenantId, due_ms, lease_ms } = due;
  const claimed = await run(db)`
    update tenant_usage set due_ms = ${lease_ms}::bigint
     where tenant_id = ${tenantId} and due_ms = ${due_ms}::bigint`;
  return claimed.count === 1 ? { tenantId, lease_ms } : undefined;
}
