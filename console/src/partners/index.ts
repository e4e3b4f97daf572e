/** The partner pages. */

export { partnerRoutes } from "./routes.ts";
