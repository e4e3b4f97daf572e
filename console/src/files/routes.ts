/** The routes of imports: list, new, and one import. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../shell/index.ts";

interface ListSearch {
  /** Whether dry runs are listed too. */
  readonly checks?: boolean;
}

interface NewSearch {
  /** Plural of the record type that is preselected. */
  readonly type?: string;
  /** The import whose options are copied. */
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
      const [type, like] = [textIn(search["type"]), textIn(search["like"])];
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
