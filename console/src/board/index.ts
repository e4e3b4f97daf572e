/** The deal board. */

export { boardRoutes } from "./routes.ts";
export { DEALS, isClosed, STAGES } from "./deals.ts";
export { worth } from "./worth.ts";
