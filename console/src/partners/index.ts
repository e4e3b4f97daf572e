/** Partners, as the tenant sees them. */

export { partnerRoutes } from "./routes.ts";
