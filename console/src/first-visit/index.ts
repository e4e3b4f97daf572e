/**
 * The first visit to a new installation: how to become its owner, and the first settings of the
 * business.
 */

export { firstVisitRoutes } from "./routes.ts";
export { isUnnamed } from "./suggested.ts";
