/** What is around every page of the portal: the menu, the partner, and what must be known at once. */

import { Alert, Anchor, AppShell, Burger, Group, ScrollArea } from "@mantine/core";
import { useDisclosure, useNetwork } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { whenSignedOut } from "../app/query-client.ts";
import { t } from "../text/index.ts";
import { portalTexts } from "../text/portal.ts";
import { dateTime } from "../ui/format.ts";
import { Logo } from "../ui/logo.tsx";
import { Waiting } from "../ui/waiting.tsx";
import { RunBanner } from "./file/run-banner.tsx";
import { PortalAccount } from "./portal-account.tsx";
import { PortalMenu } from "./portal-menu.tsx";
import { useRenewal } from "./use-renewal.ts";

export default function PortalShell() {
  const [isOpen, menu] = useDisclosure();
  const { online } = useNetwork();
  const { pathname } = useLocation();
  const endsAt = useRenewal();
  useSignedOut();
  useEffect(menu.close, [pathname, menu.close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", lg: "xl" }}
    >
      <a className="skip" href="#content">
        {t.shell.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={menu.toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? t.shell.closeMenu : t.shell.openMenu}
              aria-expanded={isOpen}
            />
            <Logo />
          </Group>
          <PortalAccount />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={portalTexts.menu.label}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <PortalMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {!online && (
          <Alert color="yellow" mb="md" role="status">
            {t.errors.offlineBanner}
          </Alert>
        )}
        {endsAt !== undefined && (
          <Alert color="yellow" mb="md" role="status">
            {portalTexts.endsAt(dateTime(endsAt))}{" "}
            <Anchor component={Link} to="/partner/sign-in" c="inherit" inherit underline="always">
              {portalTexts.signInAgain}
            </Anchor>
          </Alert>
        )}
        <RunBanner />
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** Leads to the partners' sign-in, and back here after it, when the session ends in the middle of the work. */
function useSignedOut(): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(
    () =>
      whenSignedOut(() => {
        const to = location.pathname + location.search;
        void navigate({ to: "/partner/sign-in", search: { to, ended: true } }).then(() =>
          queries.clear(),
        );
      }),
    [navigate, queries],
  );
}
