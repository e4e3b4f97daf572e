/** The root route, with the not-found page and the error page. */

import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import { Failure, NotFound } from "../ui/states/index.ts";

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});
