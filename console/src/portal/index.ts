/** The partner portal: its shell and routes. */

export { portalRoute } from "./portal-route.tsx";
export { portalDoorRoutes, portalRoutes } from "./routes.ts";
