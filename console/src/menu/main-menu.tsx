/** The console's menu: the pages that the signed-in user may open. */

import { Box, Text } from "@mantine/core";
import {
  IconActivity,
  IconAddressBook,
  IconBuilding,
  IconBuildingStore,
  IconChecklist,
  IconFileImport,
  IconFileInvoice,
  IconHeartHandshake,
  IconHeartRateMonitor,
  IconHome,
  IconInbox,
  IconLayoutKanban,
  IconPlugConnected,
  IconSend,
  IconShieldLock,
  IconShoppingCart,
  IconTargetArrow,
  IconUserPlus,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { may, useSession, type Permission } from "../api/index.ts";
import { recordTypes, typeLabel } from "../record/index.ts";
import { t } from "../text/index.ts";
import { MenuLink, type MenuLinkProps } from "../ui/frame/index.ts";

export interface Entry extends MenuLinkProps {
  readonly permission: Permission;
}

export interface Group {
  readonly label?: string;
  readonly entries: readonly Entry[];
}

const READ = { permission: "records:read" } as const;
const REVIEW = { permission: "exchange:review" } as const;
const ADMIN = { permission: "admin" } as const;
const BOARD = { href: "/board", label: t.shell.board, icon: IconLayoutKanban, ...READ };

const ICONS: Readonly<Record<string, MenuLinkProps["icon"]>> = {
  building: IconBuilding,
  cart: IconShoppingCart,
  checklist: IconChecklist,
  invoice: IconFileInvoice,
  people: IconAddressBook,
  person: IconUserPlus,
  target: IconTargetArrow,
};

const allEntries = (): readonly Group[] => [
  { entries: [{ href: "/", label: t.shell.home, icon: IconHome, ...READ }] },
  {
    label: t.shell.records,
    entries: [
      ...recordTypes().flatMap((type) => [
        {
          href: `/${type.plural}`,
          label: typeLabel(type).many,
          icon: ICONS[type.icon ?? ""] ?? IconFileInvoice,
          ...READ,
        },
        ...(type.name === "deal" ? [BOARD] : []),
      ]),
      { href: "/imports", label: t.shell.imports, icon: IconFileImport, ...READ },
    ],
  },
  {
    label: t.shell.exchange,
    entries: [
      { href: "/review", label: t.shell.review, icon: IconInbox, ...REVIEW },
      { href: "/partners", label: t.shell.partners, icon: IconHeartHandshake, ...ADMIN },
      { href: "/deliveries", label: t.shell.deliveries, icon: IconSend, ...ADMIN },
    ],
  },
  {
    label: t.shell.settings,
    entries: [
      { href: "/settings/people", label: t.shell.people, icon: IconUsers, ...ADMIN },
      {
        href: "/settings/integrations",
        label: t.shell.integrations,
        icon: IconPlugConnected,
        ...ADMIN,
      },
      { href: "/settings/webhooks", label: t.shell.webhooks, icon: IconWebhook, ...ADMIN },
      { href: "/settings/audit", label: t.shell.audit, icon: IconActivity, ...ADMIN },
      { href: "/settings/tenant", label: t.shell.tenant, icon: IconBuildingStore, ...ADMIN },
      { href: "/settings/privacy", label: t.shell.privacy, icon: IconShieldLock, ...ADMIN },
      { href: "/settings/system", label: t.system.title, icon: IconHeartRateMonitor, ...ADMIN },
    ],
  },
];

/** The menu entries that the signed-in user may open. */
export function useMenu(): readonly Group[] {
  const session = useSession();
  return allEntries()
    .map(({ label, entries }) => ({
      ...(label !== undefined && { label }),
      entries: entries.filter(({ permission }) => may(session, permission)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

export const MainMenu = () =>
  useMenu().map(({ label, entries }) => (
    <Box key={label ?? ""} mb="sm">
      {label !== undefined && (
        <Text size="xs" fw={600} c="dimmed" px="sm" mb={4}>
          {label}
        </Text>
      )}
      {entries.map((entry) => (
        <MenuLink key={entry.href} {...entry} />
      ))}
    </Box>
  ));
