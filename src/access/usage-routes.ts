/** `GET /crm/admin/tenant/usage`: how much the tenant stores, of how much it may. */

import type { JsonObject } from "../platform/json/index.ts";
import type { Database } from "../platform/database/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import type { Schema } from "../platform/validation/index.ts";
import { isoSeconds } from "../platform/clock/index.ts";
import type { Caller } from "./caller.ts";
import { hasLimit, readQuota, type DefaultLimits } from "./usage.ts";

export interface UsageRoutesDeps {
  readonly db: Database;
  readonly limits: DefaultLimits;
}

const AMOUNTS = (of: string): Schema => ({
  type: ["object", "null"],
  description: `${of}; null without a limit.`,
  properties: {
    used: { type: ["integer", "null"], description: "Null until it is measured." },
    quota: { type: "integer" },
  },
  required: ["used", "quota"],
});

/** Schemas that openapi.json prints by name. */
export const usageSchemas: Readonly<Record<string, Schema>> = {
  TenantUsage: {
    type: "object",
    properties: {
      records: AMOUNTS("Records of all types"),
      bytes: AMOUNTS("Space that all rows take"),
      measured_ts: {
        type: ["integer", "null"],
        description: "When this was measured; null without a limit, and until it is measured.",
      },
      measured_date: { type: ["string", "null"] },
    },
    required: ["records", "bytes", "measured_ts", "measured_date"],
  },
};

const amounts = (used: number | null | undefined, quota: number | undefined): JsonObject | null =>
  quota === undefined ? null : { used: used ?? null, quota };

export const usageOperation = ({ db, limits: defaults }: UsageRoutesDeps): Operation<Caller> => ({
  method: "GET",
  url: "/crm/admin/tenant/usage",
  id: "get_tenant_usage",
  summary: "Get the tenant's storage and quota",
  tag: "administration",
  permission: "admin",
  answer: { $ref: "TenantUsage#" },
  run: async ({ caller }): Promise<JsonObject> => {
    const { limits, usage } = await readQuota(db.sql, caller.tenant.id, defaults);
    const measured_ts =
      usage !== undefined && hasLimit(limits) ? Math.floor(usage.measured_ms / 1000) : null;
    return {
      records: amounts(usage?.records, limits.records),
      bytes: amounts(usage?.bytes, limits.bytes),
      measured_ts,
      measured_date: measured_ts === null ? null : isoSeconds(measured_ts),
    };
  },
});
