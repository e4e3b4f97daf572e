/** Operations on whole tenants: moving them between installations, and removing them (docs/moving-a-tenant.md). */

export { exportTenant } from "./export.ts";
export { type ListedTenant, listTenants } from "./list.ts";
export { importTenant, type WithScratch } from "./import.ts";
export { removeDeleted, removeDemoTenant, removeSomeDeleted } from "./remove.ts";
export { tenantExportOperations, tenantExportSchemas } from "./routes.ts";
