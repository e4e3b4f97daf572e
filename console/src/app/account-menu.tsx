/** The person who is signed in, and their way out. */

import { Menu } from "@mantine/core";
import { IconShieldLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { sessionQuery, useSession } from "../api/session.ts";
import { t } from "../text/index.ts";
import { useSending } from "../ui/use-sending.ts";
import { WhoMenu } from "../ui/who-menu.tsx";

export function AccountMenu() {
  const { person, tenant } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signingOut = useSending<undefined, unknown>(
    async () => api.post("/auth/sign_out"),
    async () => {
      await navigate({ to: "/sign-in" });
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
    },
  );
  return (
    <WhoMenu
      name={person.name}
      where={tenant.name}
      label={`${person.email} · ${t.shell.roles[person.role]}`}
      signingOut={signingOut}
    >
      <Menu.Item
        component={Link}
        to="/profile"
        leftSection={<IconShieldLock size={16} aria-hidden />}
      >
        {t.shell.profile}
      </Menu.Item>
    </WhoMenu>
  );
}
