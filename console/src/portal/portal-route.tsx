/** What stands behind the partners' door: every page of it has a partner. */

import { Container } from "@mantine/core";
import {
  createRoute,
  lazyRouteComponent,
  redirect,
  useRouter,
  type ErrorComponentProps,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isSignedOut } from "../api/client.ts";
import { queryClient } from "../app/query-client.ts";
import { rootRoute } from "../app/root-route.tsx";
import { Failure } from "../ui/failure.tsx";
import { partnerQuery } from "./partner.ts";

export const portalRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "portal",
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(partnerQuery);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: "/partner/sign-in", search: { to: location.href } });
    }
  },
  component: lazyRouteComponent(() => import("./portal-shell.tsx")),
  errorComponent: PortalFailure,
});

function PortalFailure({ error }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  return (
    <Container component="main" size="sm" p="md">
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </Container>
  );
}
