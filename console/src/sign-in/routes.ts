import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.tsx";

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in",
    /** Where to go then, and why one has to. */
    validateSearch: (given): { readonly to?: string; readonly ended?: true } => ({
      ...(typeof given["to"] === "string" && isOwn(given["to"]) && { to: given["to"] }),
      ...(given["ended"] === true && { ended: true }),
    }),
    component: lazyRouteComponent(() => import("./sign-in.tsx")),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/forgotten",
    component: lazyRouteComponent(() => import("./forgotten.tsx")),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/link",
    component: lazyRouteComponent(() => import("./link.tsx")),
  }),
] as const;

/** Whether an address is one of ours: never another host's. */
const isOwn = (to: string): boolean => /^\/(?![/\\])/.test(to);
