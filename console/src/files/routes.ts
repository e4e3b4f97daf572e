/** The import routes: list, new import, and one import. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";

interface ListSearch {
  /** Whether the list includes dry runs. */
  readonly checks?: boolean;
}

interface NewSearch {
  /** The plural of the preselected record type. */
  readonly type?: string;
  /** The ID of the import to copy options from. */
  readonly like?: string;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const fileRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/imports",
    ...needs("records:read"),
    validateSearch: (search: Record<string, unknown>): ListSearch =>
      search["checks"] === true ? { checks: true } : {},
    component: lazyRouteComponent(() => import("./imports.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/imports/new",
    ...needs("records:write"),
    validateSearch: (search: Record<string, unknown>): NewSearch => {
      const type = textIn(search["type"]);
      const like = textIn(search["like"]);
      return { ...(type !== undefined && { type }), ...(like !== undefined && { like }) };
    },
    component: lazyRouteComponent(() => import("./new-import.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/imports/$id",
    ...needs("records:read"),
    component: lazyRouteComponent(() => import("./one-import.tsx")),
  }),
] as const;
