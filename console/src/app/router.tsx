/** Every address of the pages. */

import { createRouter, type RouteIds } from "@tanstack/react-router";
import { boardRoutes } from "../board/routes.ts";
import { deliveryRoutes } from "../deliveries/routes.ts";
import { fileRoutes } from "../files/routes.ts";
import { homeRoutes } from "../home/routes.ts";
import { partnerRoutes } from "../partners/routes.ts";
import { peopleRoutes } from "../people/routes.ts";
import { portalRoute } from "../portal/portal-route.tsx";
import { portalDoorRoutes, portalRoutes } from "../portal/routes.ts";
import { recordRoutes } from "../records/routes.ts";
import { reviewRoutes } from "../review/routes.ts";
import { settingsRoutes } from "../settings/routes.ts";
import { signInRoutes } from "../sign-in/routes.ts";
import { consoleRoute } from "./console-route.tsx";
import { queryClient } from "./query-client.ts";
import { rootRoute } from "./root-route.tsx";

// Apart: within the list of another route's children their types would be lost.
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

// One route whose types are lost takes those of all with it, and no address is checked any more.
// @ts-expect-error -- no route has this id
"/nowhere" satisfies RouteIds<typeof routeTree>;
