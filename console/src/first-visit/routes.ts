/** The routes for the first visit. */

import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { hasOwner, may, readSession } from "../api/index.ts";
import { queryClient, rootRoute } from "../routing/index.ts";

export const firstVisitRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/welcome",
    beforeLoad: async () => {
      if (await hasOwner()) throw redirect({ to: "/" });
    },
    component: lazyRouteComponent(() => import("./welcome.tsx")),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/your-business",
    beforeLoad: async ({ location }) => {
      const session = await readSession(queryClient);
      if (session === null) throw redirect({ to: "/sign-in", search: { to: location.href } });
      if (!may(session, "admin")) throw redirect({ to: "/" });
    },
    component: lazyRouteComponent(() => import("./your-business.tsx")),
  }),
] as const;
