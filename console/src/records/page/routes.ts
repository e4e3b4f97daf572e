/** The pages of one record. `$type` is the plural of a record type; another word leads nowhere. */

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute, needs } from "../../app/console-route.tsx";

export interface NewSearch {
  /** What the form begins with, by the names of fields. */
  readonly with?: Readonly<Record<string, string>>;
}

export interface RecordSearch {
  /** Whether the record is being edited. */
  readonly edit?: true;
}

export const recordPageRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/$type/new",
    ...needs("records:write"),
    validateSearch: ({ with: given }: Readonly<Record<string, unknown>>): NewSearch =>
      typeof given === "object" && given !== null
        ? { with: given as Readonly<Record<string, string>> }
        : {},
    component: lazyRouteComponent(() => import("./new-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/$type/$id",
    ...needs("records:read"),
    validateSearch: ({ edit }: Readonly<Record<string, unknown>>): RecordSearch =>
      edit === true ? { edit } : {},
    component: lazyRouteComponent(() => import("./record-page.tsx")),
  }),
] as const;
