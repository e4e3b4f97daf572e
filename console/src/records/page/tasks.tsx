/** A record's tasks: open tasks, an input to add one, and completed tasks. */

import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useList, useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState, LinkButton } from "../../ui/states/index.ts";
import { ShowMore } from "../../ui/lists/index.ts";
import {
  isConverted,
  listPath,
  type RecordType,
  type Stored,
  typeNamed,
} from "../../record/index.ts";
import { QuickTask } from "./quick-task.tsx";
import { Section } from "../../ui/frame/index.ts";
import { TaskRow } from "./task-row.tsx";

export interface TasksProps {
  readonly type: RecordType;
  readonly record: Stored;
}

export function Tasks({ type, record }: TasksProps) {
  const mayWrite = useMay("records:write");
  const [showsDone, setShowsDone] = useState(false);
  if (type.subject_type === null) return null;
  const about = { subject_type: type.subject_type, subject: record._id };
  return (
    <Section
      title={t.record.tasks}
      actions={
        <LinkButton
          to="/$type"
          params={{ type: typeNamed("task").plural }}
          search={{ filter: JSON.stringify({ subject: record._id }) }}
          size="xs"
          variant="subtle"
          aria-label={t.record.viewAllOf(t.record.tasks)}
        >
          {t.record.viewAll}
        </LinkButton>
      }
    >
      <Stack gap="sm">
        <TaskList about={about} isDone={false} />
        {mayWrite && !isConverted(type, record) && <QuickTask about={about} />}
        {showsDone ? (
          <TaskList about={about} isDone />
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="left"
            w="fit-content"
            mih={24}
            onClick={() => setShowsDone(true)}
          >
            {t.record.showDone}
          </Anchor>
        )}
      </Stack>
    </Section>
  );
}

interface TaskListProps {
  readonly about: Readonly<Record<string, string>>;
  readonly isDone: boolean;
}

function TaskList({ about, isDone }: TaskListProps) {
  const { items, query } = useList<Stored>(listPath(typeNamed("task")), {
    query: {
      match_filter_dict: { ...about, is_completed: isDone },
      sort_dict: { due_date: isDone ? -1 : 1 },
      page_size: 10,
    },
  });
  if (!query.isSuccess && items.length === 0) return <QueryState query={query} rows={1} />;
  if (items.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {isDone ? t.record.noneDone : t.record.noTasks}
      </Text>
    );
  }
  return (
    <Stack gap={6} role="list">
      {items.map((item) => (
        <TaskRow key={item._id} task={item} />
      ))}
      <ShowMore query={query} size="xs" />
    </Stack>
  );
}
