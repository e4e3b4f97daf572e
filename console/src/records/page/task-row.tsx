/** A task on one line: checkbox, name and due date. */

import { Checkbox, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure, TextLink } from "../../ui/states/index.ts";
import { pageOf, type Stored, typeNamed } from "../../record/index.ts";
import { useEditing } from "../editing/index.ts";
import { dueOf } from "../list/index.ts";
import { Time } from "../../ui/lists/index.ts";

export function TaskRow({ task }: { readonly task: Stored }) {
  const type = typeNamed("task");
  const mayWrite = useMay("records:write");
  const editing = useEditing(type, ({ is_completed }) => {
    if (is_completed === true) {
      notifications.show({ message: t.record.completed, color: "teal" });
    }
  });
  const isDone = task["is_completed"] === true;
  const due = task["due_date"] as number | null;
  const isOverdue = dueOf(task) === "overdue";
  const change = { is_completed: !isDone, ...(isDone && { status: "assigned" }) };
  return (
    <div role="listitem">
      <Group gap="xs" wrap="nowrap" align="flex-start" mih={28}>
        <Checkbox
          mt={2}
          checked={isDone}
          disabled={!mayWrite || editing.isSending}
          aria-label={isDone ? t.record.reopenTask(task.name) : t.record.completeTask(task.name)}
          onChange={() => editing.send({ base: task, changes: change })}
        />
        <TextLink
          to={pageOf(type, task._id)}
          size="sm"
          flex={1}
          style={{ overflowWrap: "anywhere" }}
        >
          {task.name}
        </TextLink>
        {due !== null && (
          <Text span size="xs" c={isOverdue ? "red" : "dimmed"} mt={3} ta="right">
            <Time at={due} />
            {isOverdue && `, ${t.record.overdue}`}
          </Text>
        )}
      </Group>
      <Failure error={editing.error} />
      {editing.dialog}
    </div>
  );
}
