/** Demo data: a separate tenant with a year of sample records (docs/demo-data.md). */

export { LEADS, type Owner, startFilling, USUAL_SEED } from "./fill.ts";
export { createDemo, demoSchemas } from "./routes.ts";
export { demoOwnerLink, readDemo, removeDemo } from "./state.ts";
