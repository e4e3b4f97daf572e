/** Attribution of deals to partners, their earnings, and analytics. */

export { ANALYTICS_SCHEMA, readAnalytics } from "./analytics.ts";
export { attribute, attributionHook } from "./attribution.ts";
