/** The routes of the settings. */

export { settingsRoutes } from "./routes.ts";
