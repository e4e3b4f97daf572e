/** The root of all addresses, and what is shown where one leads nowhere or its page fails. */

import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import { Failure } from "../ui/failure.tsx";
import { NotFound } from "../ui/states.tsx";

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});
