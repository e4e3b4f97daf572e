/** Privacy: reports about a person, erasures, and data retention (docs/privacy.md). */

export { privacySchemas } from "./bodies.ts";
export { createBlockedSql } from "./blocked-persons.ts";
export { applyErasureLog } from "./apply-erasure-log.ts";
export { createErasureLog, readErasureLog } from "./erasure-log.ts";
export { continueErasure, erasePerson, tryErasure } from "./erasures.ts";
export { PRIVACY, PRIVACY_SETTINGS } from "./privacy-settings.ts";
export { reportPerson } from "./report.ts";
export { type LogKept, scrub } from "./scrub.ts";
export { type Erasure } from "./stored-erasures.ts";
export { openPlan, type StoredPlan } from "./stored-plan.ts";
export { forgetReports } from "./reports.ts";
export { logRevocations } from "./revocations.ts";
export { createRetention } from "./retention.ts";
export { privacyOperations } from "./routes.ts";
