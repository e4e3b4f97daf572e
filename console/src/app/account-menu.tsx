/** Whoever is signed in: their settings, the colours, the way out. */

import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconApi, IconLogout, IconShieldLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { sessionQuery, useSession } from "../api/session.ts";
import { t } from "../text/index.ts";
import { ColourChoice } from "../ui/colour-choice.tsx";
import { useSending } from "../ui/use-sending.ts";

export function AccountMenu() {
  const { person, tenant } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signingOut = useSending(
    async () => api.post("/auth/sign_out"),
    async () => {
      await navigate({ to: "/sign-in" });
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
    },
  );
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{t.shell.account}</VisuallyHidden>
          <Group gap="xs" wrap="nowrap">
            <Avatar name={person.name} color="harbour" radius="xl" size={34} aria-hidden />
            <div>
              <Text size="sm" fw={600} lh={1.2} visibleFrom="sm">
                {person.name}
              </Text>
              <Text size="xs" c="dimmed" lh={1.2} visibleFrom="sm">
                {tenant.name}
              </Text>
            </div>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {person.email} · {t.shell.roles[person.role]}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to="/profile"
          leftSection={<IconShieldLock size={16} aria-hidden />}
        >
          {t.shell.profile}
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/docs"
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
}
