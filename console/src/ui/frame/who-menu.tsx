/** Whoever is signed in, and what is theirs: settings, the colours, the way out. */

import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconApi, IconLogout } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { ColourChoice } from "./colour-choice.tsx";
import type { Sending } from "../../api/index.ts";

export interface WhoMenuProps {
  readonly name: string;
  /** What stands below the name: a business, or that it is a partner. */
  readonly where: string;
  /** Next to where they are, on narrow screens, too. */
  readonly badge?: ReactNode;
  /** What the menu says of them first. */
  readonly label: ReactNode;
  /** Items of their own, before those that all have. */
  readonly children?: ReactNode;
  /** The page of the API reference for them. */
  readonly docs: string;
  readonly signingOut: Sending<undefined>;
}

export const WhoMenu = ({
  name,
  where,
  badge,
  label,
  children,
  docs,
  signingOut,
}: WhoMenuProps) => (
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
      <Menu.Label>{t.shell.colours}</Menu.Label>
      <ColourChoice />
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
