/** Every address of the pages. */

import { createRouter } from "@tanstack/react-router";
import { homeRoutes } from "../home/routes.ts";
import { portalRoutes } from "../portal/routes.ts";
import { recordPageRoutes } from "../records/page/routes.ts";
import { signInRoutes } from "../sign-in/routes.ts";
import { consoleRoute } from "./console-route.tsx";
import { queryClient } from "./query-client.ts";
import { rootRoute } from "./root-route.tsx";

const routeTree = rootRoute.addChildren([
  consoleRoute.addChildren([...homeRoutes, ...recordPageRoutes]),
  ...portalRoutes,
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
