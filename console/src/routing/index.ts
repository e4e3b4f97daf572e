/** The root route and the query client. */

export { queryClient, whenSignedOut } from "./query-client.ts";
export { rootRoute } from "./root-route.tsx";
