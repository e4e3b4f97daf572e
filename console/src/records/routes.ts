/** The addresses of records: `/leads`, `/contacts` … by the plural of each record type. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../app/console-route.tsx";
import { readSearch } from "./table/search.ts";

export const recordRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/$type",
    ...needs("records:read"),
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import("./table/page.tsx")),
  }),
] as const;
