/** The review page: queue, keyboard shortcuts and routes. */

export { reviewRoutes } from "./routes.ts";
