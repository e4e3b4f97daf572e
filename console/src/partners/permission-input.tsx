/** Checkboxes for what a partner can do in addition to submitting leads. */

import { Checkbox, SimpleGrid } from "@mantine/core";
import { partnerTexts } from "../text/partners.ts";
import type { Partner } from "./partner.ts";

const PERMISSIONS = Object.keys(partnerTexts.permission) as Partner["permissions"][number][];

export interface PermissionInputProps {
  readonly value?: string[];
  readonly onChange?: (value: string[]) => void;
  readonly error?: string | undefined;
}

export const PermissionInput = ({ value, onChange, error }: PermissionInputProps) => (
  <Checkbox.Group
    label={partnerTexts.permissions}
    error={error}
    {...(value !== undefined && { value })}
    {...(onChange !== undefined && { onChange })}
  >
    <SimpleGrid cols={{ base: 1, lg: 2 }} mt={6} spacing="sm">
      {PERMISSIONS.map((permission) => (
        <Checkbox
          key={permission}
          value={permission}
          label={partnerTexts.permission[permission]}
          description={partnerTexts.permissionHint[permission]}
        />
      ))}
    </SimpleGrid>
  </Checkbox.Group>
);
