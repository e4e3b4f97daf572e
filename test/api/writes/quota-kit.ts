/** Helpers for quota tests: set a quota, measure usage, and wait until the running service applies the quota. */

import { measureTenant } from "../../../src/quotas/measure-usage.ts";
import { setLimits } from "../../../src/quotas/quotas.ts";
import type { OwnLimits } from "../../../src/quotas/usage.ts";
import { createMeasuring } from "../../../src/quotas/measure-due.ts";
import type { TenantId } from "../../../src/audit/index.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { RECORD_TABLES } from "../../../src/records/types/index.ts";
import type { Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { ok } from "../samples.ts";
import type { TestSql } from "../../kit/sql.ts";

const clock = systemClock();
const deps = { clock, makeId: idSource(clock) };
export const NO_DEFAULTS = { maxRecords: 0, maxBytes: 0 };

export const measure = (
  sql: TestSql,
  { tenantId }: Client,
  options: Parameters<typeof measureTenant>[3] = { withBytes: true },
) => measureTenant(sql, tenantId as TenantId, RECORD_TABLES, options);

/** Measures every tenant that is due, as a worker does. Returns how many it measured. */
export async function measureAll(sql: TestSql, defaults = NO_DEFAULTS): Promise<number> {
  const once = createMeasuring(sql, RECORD_TABLES, defaults);
  for (let measured = 0; ; measured += 1) if (!(await once())) return measured;
}

/**
 * Sets a quota and waits until the service rejects a new task, or accepts one if `refuses` is false. If the task is
 * created, it is deleted again.
 */
export async function applyQuota(
  sql: TestSql,
  client: Client,
  limits: Partial<OwnLimits>,
  refuses: boolean,
): Promise<void> {
  await setLimits(sql, deps, client.tenantId as TenantId, limits);
  await measure(sql, client);
  // Callers are cached for a second. Updating the tenant's settings refreshes the cache.
  ok(await client.patch("/crm/admin/tenant", { currency: "USD" }));
  await eventually(
    async () => {
      const probe = await client.post("/crm/tasks", { name: "Probe" });
      if (probe.status === 200) await client.delete(`/crm/tasks/${probe.body._id}`);
      return probe.status;
    },
    (status) => status === (refuses ? 403 : 200),
  );
}

/** Counts a tenant's records across all tables. */
export async function countRecords(sql: TestSql, { tenantId }: Client): Promise<number> {
  let count = 0;
  for (const table of RECORD_TABLES) {
    const [row] = await sql`
      select count(*)::int as n from ${sql(table)} where tenant_id = ${tenantId}`;
    count += Number(row?.["n"]);
  }
  return count;
}
