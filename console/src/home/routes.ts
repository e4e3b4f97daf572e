import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute } from "../app/console-route.tsx";
import { isRange, type Range } from "./range.ts";

export const homeRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/",
    /** The span of time that the charts tell of. */
    validateSearch: (given): { readonly range?: Range } =>
      isRange(given["range"]) ? { range: given["range"] } : {},
    component: lazyRouteComponent(() => import("./home.tsx")),
  }),
] as const;
