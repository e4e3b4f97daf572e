/** Radio buttons for a user's role, with a description of each role. */

import { Radio, Stack } from "@mantine/core";
import { useSession, type Role } from "../api/index.ts";
import { t } from "../text/index.ts";

const ROLES: readonly Role[] = ["owner", "admin", "reviewer", "agent", "viewer"];

export interface RoleSelectProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly error?: string | undefined;
}

export function RoleSelect({ value, onChange, error }: RoleSelectProps) {
  const { person } = useSession();
  // Only owners can assign the owner role.
  const roles = ROLES.filter((role) => person.role === "owner" || role !== "owner");
  return (
    <Radio.Group label={t.people.role} value={value} onChange={onChange} error={error} required>
      <Stack gap="xs" mt="xs">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t.shell.roles[role]}
            description={t.people.roleHints[role]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
