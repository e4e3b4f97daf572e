/** Deliveries and their attempts. */

export { deliveryRoutes } from "./routes.ts";
