/** The settings routes. */

export { settingsRoutes } from "./routes.ts";
