import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { consoleRoute } from "../routing/index.ts";
import { anyLeadQuery } from "./any-lead.ts";
import { isRange, type Range } from "./range.ts";

export const homeRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: "/",
    /** The time range of the charts. */
    validateSearch: ({ range }): { readonly range?: Range | undefined } => ({
      range: isRange(range) ? range : undefined,
    }),
    loader: async ({ context }) => context.queryClient.prefetchQuery(anyLeadQuery),
    component: lazyRouteComponent(() => import("./home.tsx")),
  }),
] as const;
