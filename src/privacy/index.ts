/** Privacy: reports about a person, erasures, and data retention (docs/privacy.md). */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { privacySchemas } from "./bodies.ts";
import { continueErasure, type ErasureDeps } from "./erasures.ts";
import { forgetReports } from "./reports.ts";
import { createRetention } from "./retention.ts";
import { logRevocations } from "./revocations.ts";
import { type PrivacyRoutesDeps, privacyOperations } from "./routes.ts";

export { createBlockedSql } from "./blocked-persons.ts";
export { applyErasureLog } from "./apply-erasure-log.ts";
export { createErasureLog, readErasureLog } from "./erasure-log.ts";
export { erasePerson, tryErasure } from "./erasures.ts";
export { PRIVACY, PRIVACY_SETTINGS } from "./privacy-settings.ts";
export { reportPerson } from "./report.ts";
export { type LogKept, scrub } from "./scrub.ts";
export { type Erasure } from "./stored-erasures.ts";
export { openPlan, type StoredPlan } from "./stored-plan.ts";
export { tablesWith } from "./registry.ts";

export const privacyModule = {
  name: "privacy",
  imports: ["audit", "tenants", "access", "records", "delivery", "events", "exchange"],
  operations: (services: PrivacyRoutesDeps) => ({ tenants: privacyOperations(services) }),
  works: (services: ErasureDeps & BasicServices) => {
    const { sql, clock, erasureLog } = services;
    return {
      erase_persons: () => continueErasure(sql, services),
      log_revocations: () => logRevocations(sql, erasureLog),
      apply_retention: createRetention(sql, services),
      purge_person_reports: () => forgetReports(sql, clock),
    };
  },
  schemas: () => privacySchemas,
  tags: { privacy: "Reports about people in your data, erasure of people, and data retention." },
  personal: {
    person_reports: { derived: "sealed", no: "tenant_id id records created_ts expires_ts" },
    person_erasures: {
      derived: "sealed",
      user: "actor_kind actor_id actor_name",
      no: "tenant_id id report_id records result lease_until_ms created_ts finished_ts",
    },
    blocked_persons: { derived: "digest", no: "tenant_id created_ts" },
  },
  excludedFromExport: {
    blocked_persons: "digests under a key of the installation",
    person_reports: "valid for a day",
  },
} satisfies Module;
