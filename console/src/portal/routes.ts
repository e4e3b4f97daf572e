import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.tsx";

export const portalRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/partner/sign-in",
    component: lazyRouteComponent(() => import("./sign-in.tsx")),
  }),
] as const;
