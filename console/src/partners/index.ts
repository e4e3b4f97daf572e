/** The partners of a tenant. */

export { partnerRoutes } from "./routes.ts";
