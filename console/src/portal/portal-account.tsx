/** The partner that is signed in: its id, the colours, the way out. */

import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconApi, IconLogout } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ask } from "../api/client.ts";
import { t } from "../text/index.ts";
import { portalTexts } from "../text/portal.ts";
import { ColourChoice } from "../ui/colour-choice.tsx";
import { useSending } from "../ui/use-sending.ts";
import { forgetRun } from "./file/current-run.ts";
import { usePartner } from "./partner.ts";

export function PortalAccount() {
  const { name, partner_id } = usePartner();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signingOut = useSending(
    async () => ask("post", "/auth/partner/sign_out", { idempotencyKey: false }),
    async () => {
      forgetRun();
      await navigate({ to: "/partner/sign-in" });
      queries.clear();
    },
  );
  return (
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
              <Text size="xs" c="dimmed" lh={1.2} visibleFrom="sm">
                {portalTexts.title}
              </Text>
            </div>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          <br />
          {partner_id}
        </Menu.Label>
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
