/** The deal board. */

export { boardRoutes } from "./routes.ts";
export { dealsPath, isClosed, stages } from "./deals.ts";
export { worth } from "./worth.ts";
