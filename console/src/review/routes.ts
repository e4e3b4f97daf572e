/** The addresses of the review: the queue, and the queue at one lead. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../app/console-route.tsx";
import { readQueueSearch } from "./search.ts";

const reviewRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: "/review",
  validateSearch: readQueueSearch,
  ...needs("exchange:review"),
  component: lazyRouteComponent(() => import("./review.tsx")),
});

export const reviewRoutes = [
  reviewRoute.addChildren([
    createRoute({ getParentRoute: () => reviewRoute, path: "/" }),
    createRoute({ getParentRoute: () => reviewRoute, path: "$id" }),
  ]),
] as const;
