/** The portal's menu. */

import {
  IconApi,
  IconChartBar,
  IconFileUpload,
  IconHome,
  IconListCheck,
  IconSearch,
  IconUserPlus,
  IconUsers,
} from "@tabler/icons-react";
import { portalTexts } from "../text/portal.ts";
import { MenuLink, type MenuLinkProps } from "../ui/frame/index.ts";
import { usePartner } from "./partner/index.ts";

const { menu } = portalTexts;

const PEOPLE = "/partner/people";

const ENTRIES: readonly MenuLinkProps[] = [
  { href: "/partner", label: menu.overview, icon: IconHome, isExact: true },
  { href: "/partner/look-up", label: menu.lookUp, icon: IconSearch },
  { href: "/partner/push", label: menu.push, icon: IconUserPlus },
  { href: "/partner/push-file", label: menu.file, icon: IconFileUpload },
  { href: "/partner/pushed", label: menu.pushed, icon: IconListCheck },
  { href: PEOPLE, label: menu.people, icon: IconUsers },
  { href: "/partner/analytics", label: menu.analytics, icon: IconChartBar },
  { href: "/partner/api", label: menu.api, icon: IconApi },
];

export function PortalMenu() {
  const { permissions } = usePartner();
  const mayRead = permissions.includes("read_leads") || permissions.includes("read_contacts");
  return ENTRIES.filter(({ href }) => mayRead || href !== PEOPLE).map((entry) => (
    <MenuLink key={entry.href} {...entry} />
  ));
}
