/** The account menu: settings, theme, sign-out. */

import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconApi, IconLogout } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { ThemeChoice } from "./theme-choice.tsx";
import type { Sending } from "../../api/index.ts";

export interface UserMenuProps {
  readonly name: string;
  /** Shown below the name: the business, or the word "Partner". */
  readonly where: string;
  /** Shown next to the menu button, even on narrow screens. */
  readonly badge?: ReactNode;
  /** The first item, which describes the account. */
  readonly label: ReactNode;
  /** Additional entries, shown before the common entries. */
  readonly children?: ReactNode;
  /** The URL of the API reference. */
  readonly docs: string;
  readonly signingOut: Sending<undefined>;
}

export const UserMenu = ({
  name,
  where,
  badge,
  label,
  children,
  docs,
  signingOut,
}: UserMenuProps) => (
  <Menu position="bottom-end" width={260}>
    <Menu.Target>
      <UnstyledButton>
        <VisuallyHidden>{t.shell.account}</VisuallyHidden>
        <Group gap="xs" wrap="nowrap">
          <Avatar name={name} color="harbour" radius="xl" size={34} aria-hidden />
          <div>
            <Text size="sm" fw={600} lh={1.2} visibleFrom="sm" maw={260} truncate>
              {name}
            </Text>
            <Group gap={6} wrap="nowrap">
              <Text size="xs" c="dimmed" lh={1.2} visibleFrom="sm" maw={260} truncate>
                {where}
              </Text>
              {badge}
            </Group>
          </div>
        </Group>
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Label>{label}</Menu.Label>
      {children}
      <Menu.Item
        component="a"
        href={docs}
        target="_blank"
        leftSection={<IconApi size={16} aria-hidden />}
      >
        {t.shell.docs}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{t.shell.theme}</Menu.Label>
      <ThemeChoice />
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconLogout size={16} aria-hidden />}
        disabled={signingOut.isSending}
        onClick={() => signingOut.send(undefined)}
      >
        {t.shell.signOut}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
