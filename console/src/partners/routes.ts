/** The partner routes. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";
import { readStatus } from "./partner.ts";

export const partnerRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/partners",
    validateSearch: readStatus,
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./partners.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/partners/new",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./new-partner.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/partners/$id",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./one-partner.tsx")),
  }),
] as const;
