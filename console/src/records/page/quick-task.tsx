/** A one-line form that adds a task to a record. */

import { Button, Group, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus } from "@tabler/icons-react";
import { useState, type FormEvent } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { useSending } from "../../api/index.ts";
import { type Draft, typeNamed } from "../../record/index.ts";
import { MomentInput } from "../form/index.ts";
import { createRecord, useKeeping } from "../../requests/index.ts";

export function QuickTask({ about }: { readonly about: Draft }) {
  const task = typeNamed("task");
  const [name, setName] = useState("");
  const [due_date, setDue] = useState<number | null>(null);
  const keep = useKeeping(task);
  const adding = useSending(
    (body: Draft) => createRecord(task, body, "allow"),
    async (made) => {
      setName("");
      setDue(null);
      notifications.show({ message: t.record.taskAdded, color: "teal" });
      await keep(made);
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.send({ ...about, name, ...(due_date !== null && { due_date }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={t.record.newTask}
          size="xs"
          required
          withAsterisk={false}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={adding.issues["name"]}
        />
        <Group gap="xs" align="flex-end">
          <MomentInput
            name="due_date"
            size="xs"
            label={t.record.dueDate}
            value={due_date}
            onChange={setDue}
            error={adding.issues["due_date"]}
          />
          <Button
            type="submit"
            size="xs"
            variant="default"
            loading={adding.isSending}
            leftSection={<IconPlus size={14} aria-hidden />}
          >
            {t.record.addTask}
          </Button>
        </Group>
      </Stack>
      <Failure error={adding.unplaced} />
    </form>
  );
}
