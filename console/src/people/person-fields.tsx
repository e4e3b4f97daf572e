/** Inputs for a user's name, email and role, used to invite and edit users. */

import { TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Role } from "../api/index.ts";
import { t } from "../text/index.ts";
import { RoleSelect } from "./role-select.tsx";

export interface PersonValues {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

export interface PersonFieldsProps {
  readonly form: UseFormReturnType<PersonValues>;
  readonly issues: Readonly<Record<string, string>>;
  /** Whether this is the signed-in user, whose own role cannot be changed. */
  readonly isOwn?: boolean;
}

export const PersonFields = ({ form, issues, isOwn = false }: PersonFieldsProps) => (
  <>
    <TextInput
      label={t.people.name}
      required
      data-autofocus
      {...form.getInputProps("name")}
      error={issues["name"]}
    />
    <TextInput
      label={t.people.email}
      type="email"
      required
      {...form.getInputProps("email")}
      error={issues["email"]}
    />
    {!isOwn && (
      <RoleSelect
        value={form.values.role}
        onChange={(role) => form.setFieldValue("role", role)}
        error={issues["role"]}
      />
    )}
  </>
);
