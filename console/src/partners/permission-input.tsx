/** What a partner can do in addition to sending leads. */

import { Checkbox, SimpleGrid } from "@mantine/core";
import { t } from "../text/index.ts";
import type { Partner } from "./partner.ts";

const PERMISSIONS = Object.keys(t.partners.permission) as Partner["permissions"][number][];

export interface PermissionInputProps {
  readonly value?: string[];
  readonly onChange?: (value: string[]) => void;
  readonly error?: string | undefined;
}

export const PermissionInput = ({ value, onChange, error }: PermissionInputProps) => (
  <Checkbox.Group
    label={t.partners.permissions}
    error={error}
    {...(value !== undefined && { value })}
    {...(onChange !== undefined && { onChange })}
  >
    <SimpleGrid cols={{ base: 1, lg: 2 }} mt={6} spacing="sm">
      {PERMISSIONS.map((permission) => (
        <Checkbox
          key={permission}
          value={permission}
          label={t.partners.permission[permission]}
          description={t.partners.permissionHint[permission]}
        />
      ))}
    </SimpleGrid>
  </Checkbox.Group>
);
