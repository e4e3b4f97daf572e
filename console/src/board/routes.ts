/**
 * The routes of the deal board. Filters, and the stage that narrow screens show, are in the URL.
 */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../shell/index.ts";
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
