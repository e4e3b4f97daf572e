/** Invites a user and shows the one-time link to share. */

import { Button, Group, Modal, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { PersonLink } from "@leadport/client";
import { api, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Failure } from "../ui/states/index.ts";
import { OneTimeLink } from "./one-time-link.tsx";
import { PersonFields, type PersonValues } from "./person-fields.tsx";
import { useRefreshPeople } from "./use-people.ts";

export interface InviteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function Invite({ isOpen, onClose }: InviteProps) {
  const [made, setMade] = useState<PersonLink>();
  const close = () => {
    onClose();
    setMade(undefined);
  };
  return (
    <Modal opened={isOpen} onClose={close} title={t.people.inviteTitle} size="lg">
      {made === undefined ? <InviteForm onMade={setMade} /> : <OneTimeLink made={made} />}
    </Modal>
  );
}

function InviteForm({ onMade }: { readonly onMade: (made: PersonLink) => void }) {
  const refresh = useRefreshPeople();
  const form = useForm<PersonValues>({
    initialValues: { name: "", email: "", role: "agent" },
  });
  const inviting = useSending(
    async (body: typeof form.values) => api.post("/crm/admin/people", { body }),
    async (made) => {
      onMade(made);
      await refresh();
    },
  );
  return (
    <form onSubmit={form.onSubmit(inviting.send)}>
      <Stack>
        <Failure error={inviting.unplaced} />
        <PersonFields form={form} issues={inviting.issues} />
        <Group justify="flex-end">
          <Button type="submit" loading={inviting.isSending}>
            {t.people.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
