/** Reports failed and slow requests and the installation's state to administrators and operators. */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { type SystemDeps, systemOperations } from "./routes.ts";
import { systemSchemas } from "./schemas.ts";
import { deleteOldOutcomes } from "./stored-outcomes.ts";

export { createOutcomes } from "./outcomes.ts";

export const systemModule = {
  name: "system",
  imports: ["audit", "tenants", "access", "people"],
  operations: (services: SystemDeps) => ({ tenants: systemOperations(services) }),
  works: ({ sql, clock }: BasicServices) => ({
    purge_request_outcomes: async () => (await deleteOldOutcomes(sql, clock)) > 0,
  }),
  schemas: () => systemSchemas,
  schemasAfter: "people",
  personal: {
    request_outcomes: {
      no: "tenant_id minute_s credential method route status requests slow total_ms slowest_ms last_ts",
    },
  },
  excludedFromExport: { request_outcomes: "counts of the last hour" },
} satisfies Module;
