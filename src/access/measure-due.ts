/** The worker's part of quotas: which tenant is measured next. */

import sql from "sql-template-tag";
import type { TenantId } from "../audit/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { measureTenant } from "./measure-usage.ts";
import { readQuota, type DefaultLimits } from "./usage.ts";

/** For so long others leave a tenant to the worker that measures it. */
const LEASE_ms = 30 * 60_000;
/** How often tenants that have never been measured are looked for. */
const LOOK_EVERY_ms = 10_000;

/** Measures tenants with a quota, one at a time, when they are due. The result is whether there was any. */
export function createMeasuring(
  db: Db,
  recordTables: ReadonlySet<string>,
  defaults: DefaultLimits,
): () => Promise<boolean> {
  let looked_ms = -Infinity;
  const findUnmeasured = async (): Promise<TenantId | undefined> => {
    if (performance.now() - looked_ms < LOOK_EVERY_ms) return undefined;
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
    looked_ms = performance.now();
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
    // There may be more of them.
    if (claimed === undefined) looked_ms = -Infinity;
    return true;
  };
}

/** The tenant that has been due for longest, which other workers leave alone for a while. */
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
