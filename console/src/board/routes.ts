/** The board of deals; its filters, and the stage of narrow screens, are in the address. */

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
