/** The parent routes of the pages, and the query client. */

export { consoleRoute, needs } from "./console-route.tsx";
export { holdWork, sendHeldWork } from "./held-work.ts";
export { queryClient, whenSignedOut } from "./query-client.ts";
export { rootRoute } from "./root-route.tsx";
