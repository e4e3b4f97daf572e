/** Counts and earnings in the portal. */

export { analyticsQuery } from "./analytics-query.ts";
