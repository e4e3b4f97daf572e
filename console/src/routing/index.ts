/** The root route and the query client. */

export { holdWork, sendHeldWork } from "./held-work.ts";
export { queryClient, whenSignedOut } from "./query-client.ts";
export { rootRoute } from "./root-route.tsx";
