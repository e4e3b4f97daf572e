/** The parent route of all console pages that require a session. */

import { createRoute, redirect, type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { hasOwner, may, readSession, type Permission } from "../api/index.ts";
import { Failure, Forbidden } from "../ui/states/index.ts";
import { queryClient } from "./query-client.ts";
import { rootRoute } from "./root-route.tsx";
import { typesQuery } from "./types-query.ts";

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
  // Loads the record types at the same time as the page's code.
  loader: async () => {
    await queryClient.ensureQueryData(typesQuery);
  },
  errorComponent: ({ error }: ErrorComponentProps) => <NotLoaded error={error} />,
});

/** Shown instead of the console if the record types could not be loaded. */
function NotLoaded({ error }: Pick<ErrorComponentProps, "error">) {
  const router = useRouter();
  return (
    <main>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}

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
