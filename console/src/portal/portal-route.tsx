import { Container } from "@mantine/core";
import {
  createRoute,
  lazyRouteComponent,
  redirect,
  useRouter,
  type ErrorComponentProps,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isSignedOut } from "../api/index.ts";
import { queryClient, rootRoute } from "../routing/index.ts";
import { Failure } from "../ui/states/index.ts";
import { partnerQuery } from "./partner/index.ts";

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
