/** The user's to-do list: reviews and due tasks. */

import { Badge, Card, Group, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readPage, useMay, useSession } from "../api/index.ts";
import { pageOf, type Stored, typeNamed } from "../record/index.ts";
import { dueOf } from "../records/list/index.ts";
import { t } from "../text/index.ts";
import { QueryState, LinkButton, TextLink } from "../ui/states/index.ts";
import { endOfDay, today } from "../ui/days/index.ts";
import { Time } from "../ui/lists/index.ts";

const SHOWN = 6;
/** Without this, a long item would be as wide as its text and overflow the window. */
const AS_WIDE_AS_THE_CARD = {
  itemWrapper: { display: "block" },
  itemLabel: { display: "block" },
} as const;

export function ToDoList() {
  const mayReview = useMay("exchange:review");
  return (
    <Card component="section" withBorder padding="lg" aria-label={t.home.waiting}>
      <Title order={2} mb="md">
        {t.home.waiting}
      </Title>
      <Stack gap="lg">
        {mayReview && <Reviews />}
        <DueTasks />
      </Stack>
    </Card>
  );
}

function Reviews() {
  const query = useQuery({
    queryKey: ["list", "pending reviews"],
    queryFn: ({ signal }) =>
      readPage<{ readonly submitted_ts: number }>("/crm/admin/pushed_leads", {
        query: { status: "pending", order: "oldest", page_size: 1 },
        isCounted: true,
        signal,
      }),
    refetchInterval: 60_000,
  });
  if (!query.isSuccess) return <QueryState query={query} rows={1} />;
  const { total = 0, items } = query.data;
  if (total === 0) return <Text c="dimmed">{t.home.noReviews}</Text>;
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={600}>{t.home.reviews(total)}</Text>
        <Text size="sm" c="dimmed">
          {t.home.oldest} <Time at={items[0]?.submitted_ts} />
        </Text>
      </div>
      <LinkButton to="/review">{t.home.review}</LinkButton>
    </Group>
  );
}

function DueTasks() {
  const { person } = useSession();
  const query = useQuery({
    queryKey: ["list", "due tasks", person.id],
    queryFn: ({ signal }) =>
      readPage<Stored>("/crm/tasks", {
        query: {
          match_filter_dict: {
            userid: person.id,
            is_completed: false,
            due_date: { $lte: endOfDay(today()) },
          },
          sort_dict: { due_date: 1 },
          page_size: SHOWN,
        },
        isCounted: true,
        signal,
      }),
    refetchInterval: 60_000,
  });
  if (!query.isSuccess) return <QueryState query={query} rows={2} />;
  const { total = 0, items } = query.data;
  if (total === 0) return <Text c="dimmed">{t.home.noTasks}</Text>;
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{t.home.tasks(total)}</Text>
        <TextLink to="/$type" params={{ type: "tasks" }} size="sm">
          {t.home.allTasks}
        </TextLink>
      </Group>
      <List listStyleType="none" spacing={6} styles={AS_WIDE_AS_THE_CARD}>
        {items.map((task) => (
          <List.Item key={task._id}>
            <Group gap="xs" wrap="nowrap">
              <TextLink to={pageOf(typeNamed("task"), task._id)} truncate>
                {task.name}
              </TextLink>
              <DueBadge task={task} />
            </Group>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function DueBadge({ task }: { readonly task: Stored }) {
  const isToday = dueOf(task) === "today";
  return (
    <Badge
      variant="dot"
      color={isToday ? "yellow" : "red"}
      tt="none"
      fw={500}
      style={{ flexShrink: 0 }}
    >
      {isToday ? t.home.today : t.home.overdue}
    </Badge>
  );
}
