/** Edits a user's name, email and role. Sends only the fields that changed. */

import { Button, Group, Modal, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { api, useSending, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { changedFields } from "../ui/forms/index.ts";
import { Failure } from "../ui/states/index.ts";
import { PersonFields, type PersonValues } from "./person-fields.tsx";
import { useRefreshPeople, type Person } from "./use-people.ts";

export interface EditPersonProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export function EditPerson({ person, onClose }: EditPersonProps) {
  const { person: own } = useSession();
  const refresh = useRefreshPeople();
  // The user as it was when the dialog opened, even if the list is reloaded later.
  const [before] = useState(person);
  const form = useForm<PersonValues>({
    initialValues: {
      name: person.name,
      email: person.email ?? "",
      role: person.role ?? "viewer",
    },
  });
  const saving = useSending(
    async (values: PersonValues) => {
      const { name, email, role } = before;
      const changed = changedFields({ name, email, role }, values);
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
  return (
    <Modal opened onClose={onClose} title={t.people.editTitle(person.name)} size="lg">
      <form onSubmit={form.onSubmit(saving.send)}>
        <Stack>
          <Failure error={saving.unplaced} />
          <PersonFields form={form} issues={saving.issues} isOwn={person.id === own.id} />
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
