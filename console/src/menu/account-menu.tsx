/** The signed-in user's menu, with sign-out. */

import { Badge, Menu } from "@mantine/core";
import { IconShieldLock } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { UserMenu } from "../ui/frame/index.ts";
import { useSignOut } from "./use-sign-out.ts";

export function AccountMenu() {
  const { person, tenant } = useSession();
  const signingOut = useSignOut();
  return (
    <UserMenu
      name={person.name}
      where={tenant.name}
      badge={
        tenant.is_demo && (
          <Badge size="sm" color="grape" variant="light" tt="none">
            {t.demoData.badge}
          </Badge>
        )
      }
      label={`${person.email} · ${t.shell.roles[person.role]}`}
      docs="/docs"
      signingOut={signingOut}
    >
      <Menu.Item
        component={Link}
        to="/profile"
        leftSection={<IconShieldLock size={16} aria-hidden />}
      >
        {t.shell.profile}
      </Menu.Item>
    </UserMenu>
  );
}
