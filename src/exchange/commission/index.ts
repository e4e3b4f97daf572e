/** Attributes deals to partners, and computes the partners' earnings and analytics. */

export { ANALYTICS_SCHEMA, readAnalytics } from "./analytics.ts";
export { attribute, attributionHook, type NewAttribution } from "./attribution.ts";
