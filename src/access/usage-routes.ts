/** `GET /crm/admin/tenant/usage`: the tenant's storage and quota. */

import type { Database } from "../platform/database/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import {
  integer,
  nullable,
  objectSchema,
  type Schemas,
  withDates,
} from "../platform/schemas/index.ts";
import type { Caller } from "./caller.ts";
import { hasLimit, readQuota, type DefaultLimits } from "../quotas/index.ts";

export interface UsageRoutesDeps {
  readonly db: Database;
  readonly limits: DefaultLimits;
}

const AMOUNTS = (of: string) => ({
  ...objectSchema({
    used: nullable(integer("The current usage; null until it has been measured.")),
    quota: integer("The quota."),
  }),
  type: ["object", "null"],
  description: `${of}; null if there is no limit.`,
});

/** The named schemas in openapi.json. */
export const usageSchemas: Schemas = {
  TenantUsage: objectSchema({
    records: AMOUNTS("The number of records of all types"),
    bytes: AMOUNTS("The space that all rows use"),
    measured_ts: nullable(
      integer(
        "When the usage was measured; null if there is no limit or it has not been measured yet.",
      ),
    ),
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
    summary: "Get storage usage",
    description: "Returns how much the tenant stores, and its quota.",
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
