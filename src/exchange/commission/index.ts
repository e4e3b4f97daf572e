/** The partner that a deal is attributed to, what it earned, and analytics. */

export { ANALYTICS_SCHEMA, readAnalytics } from "./analytics.ts";
export { attribute, attributionHook } from "./attribution.ts";
