/** A menu entry. It is marked as current on its page and on the pages below it. */

import { NavLink } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";

export interface MenuLinkProps {
  readonly href: string;
  readonly label: string;
  readonly icon: Icon;
  /** Set this if pages below `href` have their own menu entries. */
  readonly isExact?: boolean;
}

export function MenuLink({ href, label, icon: Pictured, isExact = false }: MenuLinkProps) {
  const { pathname } = useLocation();
  const isHere = pathname === href || (!isExact && pathname.startsWith(`${href}/`));
  return (
    <NavLink
      component={Link}
      to={href}
      activeOptions={{ exact: isExact }}
      label={label}
      py={6}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      leftSection={<Pictured size={18} stroke={1.75} aria-hidden />}
      variant="light"
    />
  );
}
