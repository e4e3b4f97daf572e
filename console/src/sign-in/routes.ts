import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../routing/index.ts";

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in",
    /** The page to open after signing in, and why the user must sign in. */
    validateSearch: ({
      to,
      ended,
    }): { readonly to?: string | undefined; readonly ended?: true | undefined } => ({
      to: typeof to === "string" && isOwn(to) ? to : undefined,
      ended: ended === true ? true : undefined,
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

/** Whether a path stays on this host. */
const isOwn = (to: string): boolean => /^\/(?![/\\])/.test(to);
