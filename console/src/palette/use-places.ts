/** The pages that the signed-in user may open, and actions that are available everywhere. */

import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import {
  IconApi,
  IconFileImport,
  IconHeartHandshake,
  IconLogout,
  IconMoon,
  IconPlus,
  IconShieldLock,
  IconSun,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { useMay } from "../api/index.ts";
import { useMenu, useSignOut } from "../menu/index.ts";
import { recordTypes, typeLabel } from "../record/index.ts";
import { t } from "../text/index.ts";
import { paletteTexts } from "../text/palette.ts";
import type { Choice, ChoiceGroup } from "./choice.ts";

export function usePlaces(): readonly ChoiceGroup[] {
  const pages = useMenu().flatMap(({ label, entries }) =>
    entries.map((entry) => ({ id: entry.href, to: entry.href, hint: label, ...entry })),
  );
  const actions = [
    ...(useMay("records:write") ? writing() : []),
    ...(useMay("admin") ? ADMINISTERING : []),
  ];
  const account = useAccount();
  return [
    { label: paletteTexts.pages, choices: pages },
    { label: paletteTexts.actions, choices: actions },
    { label: t.shell.account, choices: account },
  ];
}

const writing = (): readonly Choice[] => [
  ...recordTypes().map((type) => ({
    id: `new-${type.name}`,
    label: paletteTexts.create(typeLabel(type).one),
    icon: IconPlus,
    to: `/${type.plural}/new`,
  })),
  { id: "import", label: paletteTexts.importFile, icon: IconFileImport, to: "/imports/new" },
];

const ADMINISTERING: readonly Choice[] = [
  { id: "invite", label: paletteTexts.invite, icon: IconUsers, to: "/settings/people?invite=true" },
  {
    id: "new-partner",
    label: paletteTexts.createPartner,
    icon: IconHeartHandshake,
    to: "/partners/new",
  },
  {
    id: "new-webhook",
    label: paletteTexts.createWebhook,
    icon: IconWebhook,
    to: "/settings/webhooks/new",
  },
];

function useAccount(): readonly Choice[] {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme() === "dark";
  const signingOut = useSignOut();
  return [
    { id: "profile", label: t.shell.profile, icon: IconShieldLock, to: "/profile" },
    { id: "docs", label: t.shell.docs, icon: IconApi, to: () => void open("/docs", "_blank") },
    {
      id: "theme",
      label: isDark ? paletteTexts.light : paletteTexts.dark,
      icon: isDark ? IconSun : IconMoon,
      to: () => setColorScheme(isDark ? "light" : "dark"),
    },
    {
      id: "sign-out",
      label: t.shell.signOut,
      icon: IconLogout,
      to: () => signingOut.send(undefined),
    },
  ];
}
