/** The record routes. */

export { recordRoutes } from "./routes.ts";
