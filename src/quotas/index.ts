/** Tenants' storage quotas: measured usage, and the room that is left. */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { createMeasuring } from "./measure-due.ts";
import type { DefaultLimits } from "./usage.ts";

export { measureTenant } from "./measure-usage.ts";
export { createQuotas, type Quotas, setLimits } from "./quotas.ts";
export { sizeText } from "./tenant-quota.ts";
export { type DefaultLimits, hasLimit, limitsOf, type OwnLimits, readQuota } from "./usage.ts";

interface WorkServices extends BasicServices {
  readonly recordTables: ReadonlySet<string>;
  readonly limits: DefaultLimits;
}

export const quotasModule = {
  name: "quotas",
  imports: ["audit", "tenants"],
  works: ({ sql, recordTables, limits }: WorkServices) => ({
    measure_usage: createMeasuring(sql, recordTables, limits),
  }),
  personal: {
    tenant_usage: { no: "tenant_id records bytes measured_ms duration_ms due_ms" },
  },
  excludedFromExport: {
    tenant_usage: "measured again",
  },
} satisfies Module;
