/** Data protection: what is stored about a person, erasing it, and how long data is retained (docs/privacy.md). */

export { privacySchemas } from "./bodies.ts";
export { createBlockedCheck } from "./blocked-persons.ts";
export { createErasureLog, type ErasureLog } from "./erasure-log.ts";
export { continueErasure } from "./erasures.ts";
export { forgetReports } from "./reports.ts";
export { privacyOperations } from "./routes.ts";
