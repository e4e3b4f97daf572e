/** What was sent to the tenant's own systems, and how it went. */

import { Group, NativeSelect } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useList } from "../api/index.ts";
import { t } from "../text/index.ts";
import { DayRange } from "../ui/forms/index.ts";
import { number, spanOf } from "../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../ui/lists/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { Empty, TextLink } from "../ui/states/index.ts";
import { answerOf, topicLabel } from "./answer.ts";
import { DELIVERIES, STATUSES, TOPICS, type Delivery, type DeliverySearch } from "./search.ts";

const ANY = { value: "", label: t.deliveries.any };

export default function Deliveries() {
  const search = useSearch({ from: "/console/deliveries" });
  const { status, topic } = search;
  const list = useList<Delivery>(DELIVERIES, { query: { status, topic, ...spanOf(search) } });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title={t.deliveries.title} hint={t.deliveries.hint} />
      <Filters search={search} />
      <ListTable
        label={t.deliveries.title}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={IconSend}
            title={isFiltered ? t.deliveries.noneTitle : t.deliveries.emptyTitle}
            hint={isFiltered ? t.deliveries.noneHint : t.deliveries.emptyHint}
          />
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    label: t.deliveries.topic,
    cell: ({ id, topic }) => (
      <TextLink inherit to="/deliveries/$id" params={{ id }}>
        {topicLabel(topic)}
      </TextLink>
    ),
  },
  {
    label: t.deliveries.status,
    cell: ({ status }) => <StatusBadge value={status} label={t.deliveries.statuses[status]} />,
  },
  { label: t.deliveries.created, cell: ({ created_ts }) => <Time at={created_ts} /> },
  {
    label: t.deliveries.attempts,
    isNumber: true,
    cell: ({ attempt_count }) => number(attempt_count),
  },
  { label: t.deliveries.lastAnswer, cell: ({ last_attempt }) => answerOf(last_attempt) },
  { label: t.deliveries.nextAttempt, cell: ({ next_attempt_ts }) => <Time at={next_attempt_ts} /> },
];

function Filters({ search }: { readonly search: DeliverySearch }) {
  const navigate = useNavigate({ from: "/deliveries" });
  const change = (next: DeliverySearch): void =>
    void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false });
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <NativeSelect
        label={t.deliveries.status}
        value={search.status ?? ""}
        onChange={({ currentTarget: { value } }) =>
          change({ status: STATUSES.find((status) => status === value) })
        }
        data={[ANY, ...STATUSES.map((value) => ({ value, label: t.deliveries.statuses[value] }))]}
      />
      <NativeSelect
        label={t.deliveries.topic}
        value={search.topic ?? ""}
        onChange={({ currentTarget: { value } }) =>
          change({ topic: TOPICS.find((topic) => topic === value) })
        }
        data={[ANY, ...TOPICS.map((value) => ({ value, label: topicLabel(value) }))]}
      />
      <DayRange labels={t.deliveries} value={search} onChange={change} />
    </Group>
  );
}
