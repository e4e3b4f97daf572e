/** The delivery routes. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";
import { readDeliverySearch } from "./search.ts";

export const deliveryRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/deliveries",
    validateSearch: readDeliverySearch,
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./deliveries.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/deliveries/$id",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./delivery.tsx")),
  }),
] as const;
