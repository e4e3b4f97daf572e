/**
 * The route of the deal board. Its URL contains the filters and the stage that narrow screens show.
 */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";
import { type BoardSearch, searchIn } from "./search.ts";

export const boardRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/board",
    ...needs("records:read"),
    validateSearch: (search: Record<string, unknown>): BoardSearch => searchIn(search),
    component: lazyRouteComponent(() => import("./board.tsx")),
  }),
] as const;
