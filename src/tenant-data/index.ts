/** Operations on whole tenants: moving them between installations, and removing them (docs/moving-a-tenant.md). */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { removeSomeDeleted } from "./remove.ts";
import { type TenantExportDeps, tenantExportOperations, tenantExportSchemas } from "./routes.ts";

export { exportTenant } from "./export.ts";
export { type ListedTenant, listTenants } from "./list.ts";
export { importTenant, type WithScratch } from "./import.ts";
export { removeDeleted, removeDemoTenant } from "./remove.ts";

export const tenantDataModule = {
  name: "tenant-data",
  imports: [
    "audit",
    "tenants",
    "access",
    "backup",
    "people",
    "records",
    "delivery",
    "exchange",
    "privacy",
  ],
  operations: (services: TenantExportDeps) => ({ tenants: tenantExportOperations(services) }),
  works: ({ sql, clock }: BasicServices) => ({
    delete_tenants: () => removeSomeDeleted(sql, clock),
  }),
  schemas: () => tenantExportSchemas,
} satisfies Module;
