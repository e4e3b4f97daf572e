import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";

interface PeopleSearch {
  /** Whether the invitation dialog is open. */
  readonly invite?: true | undefined;
}

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/settings/people",
    ...needs("admin"),
    validateSearch: ({ invite }: Readonly<Record<string, unknown>>): PeopleSearch => ({
      invite: invite === true ? true : undefined,
    }),
    component: lazyRouteComponent(() => import("./people.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/profile",
    component: lazyRouteComponent(() => import("./profile.tsx")),
  }),
] as const;
