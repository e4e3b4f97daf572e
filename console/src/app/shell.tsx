/** What is around every page of the console: the menu, who is signed in, and what must be known at once. */

import { Alert, AppShell, Burger, Group, ScrollArea } from "@mantine/core";
import { useDisclosure, useNetwork } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { sessionQuery } from "../api/session.ts";
import { t } from "../text/index.ts";
import { Logo } from "../ui/logo.tsx";
import { Waiting } from "../ui/waiting.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { MainMenu } from "./main-menu.tsx";
import { whenSignedOut } from "./query-client.ts";

export default function Shell() {
  const [isOpen, menu] = useDisclosure();
  const { online } = useNetwork();
  const { pathname } = useLocation();
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
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t.shell.mainMenu}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <MainMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {!online && (
          <Alert color="yellow" mb="md" role="status">
            {t.errors.offlineBanner}
          </Alert>
        )}
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** Leads to the sign-in, and back here after it, when the session ends in the middle of the work. */
function useSignedOut(): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(
    () =>
      whenSignedOut(() => {
        queries.setQueryData(sessionQuery.queryKey, null);
        const to = location.pathname + location.search;
        void navigate({ to: "/sign-in", search: { to, ended: true } });
      }),
    [navigate, queries],
  );
}
