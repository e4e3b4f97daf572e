/** The analytics page in the portal: counts and earnings. */

export { analyticsQuery } from "./analytics-query.ts";
