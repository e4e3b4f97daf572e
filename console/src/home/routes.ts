import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute } from "../app/console-route.tsx";

export const homeRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/",
    component: lazyRouteComponent(() => import("./home.tsx")),
  }),
] as const;
