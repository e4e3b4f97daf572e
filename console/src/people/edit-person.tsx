/** Changes somebody's name, e-mail and role. Only what was changed is sent. */

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { api } from "../api/client.ts";
import { useSession, type Role } from "../api/session.ts";
import { t } from "../text/index.ts";
import { Failure } from "../ui/failure.tsx";
import { useSending } from "../ui/use-sending.ts";
import { RoleSelect } from "./role-select.tsx";
import { useRefreshPeople, type Person } from "./use-people.ts";

export interface EditPersonProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export function EditPerson({ person, onClose }: EditPersonProps) {
  const { person: own } = useSession();
  const refresh = useRefreshPeople();
  const before: { name: string; email: string; role: Role } = {
    name: person.name,
    email: person.email ?? "",
    role: person.role ?? "viewer",
  };
  const form = useForm({ initialValues: before });
  const saving = useSending(
    async (values: typeof before) => {
      const changed = Object.fromEntries(
        Object.entries(values).filter(
          ([name, value]) => value !== (person as Record<string, unknown>)[name],
        ),
      );
      if (Object.keys(changed).length === 0) return;
      const path = { person_id: person.id };
      await api.patch("/crm/admin/people/{person_id}", { path, body: changed });
    },
    async () => {
      onClose();
      notifications.show({ message: t.people.saved });
      await refresh();
    },
  );
  const { issues } = saving;
  return (
    <Modal opened onClose={onClose} title={t.people.editTitle(person.name)} size="lg">
      <form onSubmit={form.onSubmit(saving.send)}>
        <Stack>
          <Failure error={saving.unplaced} />
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
          {person.id !== own.id && (
            <RoleSelect
              value={form.values.role}
              onChange={(role) => form.setFieldValue("role", role)}
              hasOwner={own.role === "owner"}
              error={issues["role"]}
            />
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isSending}>
              {t.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
