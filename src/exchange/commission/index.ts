/** Attributes deals to partners, and computes the partners' earnings and analytics. */

export { ANALYTICS_SCHEMA, readAnalytics } from "./analytics.ts";
export { attribute, attributions, type NewAttribution } from "./attribution.ts";
