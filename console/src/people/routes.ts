import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../app/console-route.tsx";

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/people",
    ...needs("admin"),
    component: lazyRouteComponent(() => import("./people.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/profile",
    component: lazyRouteComponent(() => import("./profile.tsx")),
  }),
] as const;
