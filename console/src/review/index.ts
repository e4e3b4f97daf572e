/** The review desk: its page, keys and routes. */

export { reviewRoutes } from "./routes.ts";
