/** The routes of records. */

export { recordRoutes } from "./routes.ts";
