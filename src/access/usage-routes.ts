/** `GET /crm/admin/tenant/usage`: how much the tenant stores, of how much it may. */

import type { Database } from "../platform/database/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { objectSchema, type Schemas, withDates } from "../platform/validation/index.ts";
import type { Caller } from "./caller.ts";
import { hasLimit, readQuota, type DefaultLimits } from "./usage.ts";

export interface UsageRoutesDeps {
  readonly db: Database;
  readonly limits: DefaultLimits;
}

const AMOUNTS = (of: string) => ({
  ...objectSchema({
    used: { type: ["integer", "null"], description: "Null until it is measured." },
    quota: { type: "integer" },
  }),
  type: ["object", "null"],
  description: `${of}; null without a limit.`,
});

/** Schemas that openapi.json prints by name. */
export const usageSchemas: Schemas = {
  TenantUsage: objectSchema({
    records: AMOUNTS("Records of all types"),
    bytes: AMOUNTS("Space that all rows take"),
    measured_ts: {
      type: ["integer", "null"],
      description: "When this was measured; null without a limit, and until it is measured.",
    },
    measured_date: { type: ["string", "null"] },
  }),
};

const amounts = (used: number | null | undefined, quota: number | undefined) =>
  quota === undefined ? null : { used: used ?? null, quota };

export const usageOperation = ({ db, limits: defaults }: UsageRoutesDeps): Operation<Caller> =>
  operation({
    method: "GET",
    url: "/crm/admin/tenant/usage",
    id: "get_tenant_usage",
    summary: "Get the tenant's storage and quota",
    tag: "administration",
    permission: "admin",
    answer: { $ref: "TenantUsage#" },
    run: async ({ caller }) => {
      const { limits, usage } = await readQuota(db.sql, caller.tenant.id, defaults);
      return withDates({
        records: amounts(usage?.records, limits.records),
        bytes: amounts(usage?.bytes, limits.bytes),
        measured_ts:
          usage !== undefined && hasLimit(limits) ? Math.floor(usage.measured_ms / 1000) : null,
      });
    },
  });
