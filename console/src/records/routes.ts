/**
 * The record routes. `$type` is the plural of a record type; any other value shows the not-found
 * page.
 */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../routing/index.ts";
import { readSearch } from "./list/index.ts";

export interface NewSearch {
  /** The form's initial values, by field name. */
  readonly with?: Readonly<Record<string, string>> | undefined;
}

export interface RecordSearch {
  /** Whether the record is being edited. */
  readonly edit?: true | undefined;
}

export const recordRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/$type",
    ...needs("records:read"),
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import("./table/page.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/$type/new",
    ...needs("records:write"),
    validateSearch: ({ with: given }: Readonly<Record<string, unknown>>): NewSearch => ({
      with:
        typeof given === "object" && given !== null
          ? (given as Readonly<Record<string, string>>)
          : undefined,
    }),
    component: lazyRouteComponent(() => import("./page/new-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/$type/$id",
    ...needs("records:read"),
    validateSearch: ({ edit }: Readonly<Record<string, unknown>>): RecordSearch => ({
      edit: edit === true ? true : undefined,
    }),
    component: lazyRouteComponent(() => import("./page/record-page.tsx")),
  }),
] as const;
