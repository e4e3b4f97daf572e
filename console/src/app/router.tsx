/** The router with all routes. */

import { createRouter, lazyRouteComponent, type RouteIds } from "@tanstack/react-router";
import { fileRoutes } from "../files/index.ts";
import { firstVisitRoutes } from "../first-visit/index.ts";
import { portalDoorRoutes, portalRoute, portalRoutes } from "../portal/index.ts";
import { recordRoutes } from "../records/index.ts";
import { reviewRoutes } from "../review/index.ts";
import { settingsRoutes } from "../settings/index.ts";
import { consoleRoute, queryClient, rootRoute } from "../routing/index.ts";
import { boardRoutes } from "../board/index.ts";
import { deliveryRoutes } from "../deliveries/index.ts";
import { homeRoutes } from "../home/index.ts";
import { partnerRoutes } from "../partners/index.ts";
import { peopleRoutes } from "../people/index.ts";
import { signInRoutes } from "../sign-in/index.ts";

consoleRoute.update({ component: lazyRouteComponent(() => import("../shell/shell.tsx")) });

// Must be a separate constant. If it were inline, TypeScript would lose the types of these routes.
const behindConsole = consoleRoute.addChildren([
  ...boardRoutes,
  ...deliveryRoutes,
  ...fileRoutes,
  ...homeRoutes,
  ...partnerRoutes,
  ...peopleRoutes,
  ...recordRoutes,
  ...reviewRoutes,
  ...settingsRoutes,
]);
const behindPortal = portalRoute.addChildren([...portalRoutes]);

const routeTree = rootRoute.addChildren([
  behindConsole,
  behindPortal,
  ...firstVisitRoutes,
  ...portalDoorRoutes,
  ...signInRoutes,
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}

// A compile-time check that the routes have types. If one route loses its types, all do, and links
// are no longer type-checked.
// @ts-expect-error -- no route has this id
"/nowhere" satisfies RouteIds<typeof routeTree>;
