/** Demo data: a separate tenant with a year of sample records (docs/demo-data.md). */

import type { Module } from "../platform/modules/index.ts";
import { createDemo, demoSchemas } from "./routes.ts";

export { LEADS, type Owner, startFilling, USUAL_SEED } from "./fill.ts";
export { demoOwnerLink, readDemo, removeDemo } from "./state.ts";

export const demoModule = {
  name: "demo",
  imports: [
    "audit",
    "access",
    "people",
    "records",
    "files",
    "delivery",
    "events",
    "exchange",
    "tenants",
    "tenant-data",
  ],
  operations: createDemo,
  schemas: () => demoSchemas,
  personal: { demo_fills: { no: "tenant_id seed done total created_ts finished_ts" } },
  excludedFromExport: { demo_fills: "belongs to the installation" },
} satisfies Module;
