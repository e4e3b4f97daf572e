/** The parent route of all console pages that require a session. */

import { createRoute, redirect, type ErrorComponentProps } from "@tanstack/react-router";
import { hasOwner, may, readSession, type Permission } from "../api/index.ts";
import { Forbidden } from "../ui/states/index.ts";
import { queryClient } from "./query-client.ts";
import { rootRoute } from "./root-route.tsx";

class ForbiddenPage extends Error {}

/** The router adds its component: the shell, whose menu and palette depend on the pages. */
export const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "console",
  beforeLoad: async ({ location }) => {
    const session = await readSession(queryClient);
    if (session !== null) return;
    if (!(await hasOwner())) throw redirect({ to: "/welcome" });
    throw redirect({ to: "/sign-in", search: { to: location.href } });
  },
});

/** Restricts a route to users with a permission: `...needs("admin")`. */
export const needs = (permission: Permission) => ({
  beforeLoad: async () => {
    const session = await readSession(queryClient);
    if (session !== null && !may(session, permission)) throw new ForbiddenPage(permission);
  },
  errorComponent: ({ error }: ErrorComponentProps) => {
    if (error instanceof ForbiddenPage) return <Forbidden />;
    throw error;
  },
});
