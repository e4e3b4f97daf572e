/** The portal's menu. */

import { NavLink } from "@mantine/core";
import {
  IconApi,
  IconChartBar,
  IconFileUpload,
  IconHome,
  IconListCheck,
  IconSearch,
  IconUserPlus,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { portalTexts } from "../text/portal.ts";

interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: Icon;
}

const { menu } = portalTexts;

const ENTRIES: readonly Entry[] = [
  { href: "/partner", label: menu.overview, icon: IconHome },
  { href: "/partner/look-up", label: menu.lookUp, icon: IconSearch },
  { href: "/partner/push", label: menu.push, icon: IconUserPlus },
  { href: "/partner/push-file", label: menu.file, icon: IconFileUpload },
  { href: "/partner/pushed", label: menu.pushed, icon: IconListCheck },
  { href: "/partner/people", label: menu.people, icon: IconUsers },
  { href: "/partner/analytics", label: menu.analytics, icon: IconChartBar },
  { href: "/partner/api", label: menu.api, icon: IconApi },
];

export function PortalMenu() {
  const { pathname } = useLocation();
  const isHere = (href: string) =>
    pathname === href || (href !== "/partner" && pathname.startsWith(`${href}/`));
  return ENTRIES.map(({ href, label, icon: Pictured }) => (
    <NavLink
      key={href}
      component={Link}
      to={href}
      activeOptions={{ exact: href === "/partner" }}
      label={label}
      active={isHere(href)}
      aria-current={isHere(href) ? "page" : undefined}
      leftSection={<Pictured size={18} stroke={1.75} aria-hidden />}
      variant="light"
    />
  ));
}
