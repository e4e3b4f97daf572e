/** The review routes: the queue, and the queue with one lead. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";
import { readQueueSearch } from "./pushed-leads/index.ts";

const reviewRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: "/review",
  validateSearch: readQueueSearch,
  ...needs("exchange:review"),
  component: lazyRouteComponent(() => import("./review.tsx")),
});

// Must be a separate constant. If it were inline, TypeScript would lose the types of these routes.
const queueRoute = createRoute({ getParentRoute: () => reviewRoute, path: "/" });
const leadRoute = createRoute({ getParentRoute: () => reviewRoute, path: "$id" });

export const reviewRoutes = [reviewRoute.addChildren([queueRoute, leadRoute])] as const;
