import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../routing/index.ts";
import { portalRoute } from "./portal-route.tsx";
import {
  analyticsSearch,
  businessQuery,
  peopleSearch,
  pushedSearch,
  signInSearch,
} from "./partner/index.ts";

const below = { getParentRoute: () => portalRoute } as const;

/** The partner sign-in route. */
export const portalDoorRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/partner/sign-in",
    validateSearch: signInSearch,
    loaderDeps: ({ search: { business } }) => ({ business }),
    loader: async ({ context, deps: { business } }) => {
      if (business !== undefined) await context.queryClient.prefetchQuery(businessQuery(business));
    },
    component: lazyRouteComponent(() => import("./sign-in.tsx")),
  }),
] as const;

/** Routes for signed-in partners. */
export const portalRoutes = [
  createRoute({
    ...below,
    path: "/partner",
    component: lazyRouteComponent(() => import("./overview/overview.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/look-up",
    component: lazyRouteComponent(() => import("./look-up/look-up.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/push",
    component: lazyRouteComponent(() => import("./push/push.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/push-file",
    component: lazyRouteComponent(() => import("./file/push-file.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/pushed",
    validateSearch: pushedSearch,
    component: lazyRouteComponent(() => import("./pushed/pushed.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/pushed/$id",
    component: lazyRouteComponent(() => import("./pushed/one.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/people",
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import("./people/people.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/analytics",
    validateSearch: analyticsSearch,
    component: lazyRouteComponent(() => import("./analytics/analytics.tsx")),
  }),
  createRoute({
    ...below,
    path: "/partner/api",
    component: lazyRouteComponent(() => import("./use-api/use-api.tsx")),
  }),
] as const;
