/** A role, with what it may do. */

import { Radio, Stack } from "@mantine/core";
import type { Role } from "../api/session.ts";
import { t } from "../text/index.ts";

const ROLES: readonly Role[] = ["owner", "admin", "reviewer", "agent", "viewer"];

export interface RoleSelectProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  /** Only an owner makes owners. */
  readonly hasOwner: boolean;
  readonly error?: string | undefined;
}

export const RoleSelect = ({ value, onChange, hasOwner, error }: RoleSelectProps) => (
  <Radio.Group label={t.people.role} value={value} onChange={onChange} error={error} required>
    <Stack gap="xs" mt="xs">
      {ROLES.filter((role) => hasOwner || role !== "owner").map((role) => (
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
