/** The frame of all pages that require signing in: header, menu, account menu, offline banner. */

import { Alert, AppShell, Burger, Group, ScrollArea } from "@mantine/core";
import { useDisclosure, useNetwork } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import { Suspense, useEffect, type ReactNode } from "react";
import { t } from "../../text/index.ts";
import { Logo } from "./logo.tsx";
import { Loading } from "../states/index.ts";

export interface FrameProps {
  readonly menu: ReactNode;
  readonly menuLabel: string;
  readonly account: ReactNode;
  /** Notices that are shown on every page. */
  readonly notices?: ReactNode;
}

export function Frame({ menu, menuLabel, account, notices }: FrameProps) {
  const [isOpen, navigation] = useDisclosure();
  const { online } = useNetwork();
  const { pathname } = useLocation();
  useEffect(navigation.close, [pathname, navigation.close]);
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
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={navigation.toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? t.shell.closeMenu : t.shell.openMenu}
              aria-expanded={isOpen}
            />
            <Logo />
          </Group>
          {account}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={menuLabel}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          {menu}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {!online && (
          <Alert color="yellow" mb="md" role="status">
            {t.errors.offlineBanner}
          </Alert>
        )}
        {notices}
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
