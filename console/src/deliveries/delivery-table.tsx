/** A table of deliveries and their results, in which deliveries can be selected for resending. */

import { Box, Button, Checkbox, Group, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { List } from "../api/index.ts";
import { t } from "../text/index.ts";
import { number } from "../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../ui/lists/index.ts";
import { TextLink } from "../ui/states/index.ts";
import { attemptResult, eventOf } from "./attempt-result.ts";
import { RecordLink, WebhookLink } from "./delivery-links.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import type { Delivery } from "./search.ts";

const text = t.deliveries;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    label: text.event,
    cell: (delivery) => (
      <TextLink inherit to="/deliveries/$id" params={{ id: delivery.id }}>
        {eventOf(delivery)}
      </TextLink>
    ),
  },
  {
    label: text.status,
    cell: ({ status }) => <StatusBadge value={status} label={text.statuses[status]} />,
  },
  { label: text.webhook, cell: (delivery) => <WebhookLink delivery={delivery} /> },
  { label: text.record, cell: (delivery) => <RecordLink delivery={delivery} /> },
  {
    label: text.attempts,
    isNumber: true,
    cell: ({ attempt_count }) => number(attempt_count),
  },
  {
    label: text.lastResponse,
    // Wide enough to show "No response in time" on two lines, so that this cell is no taller than the others.
    cell: ({ last_attempt }) => <Box miw="6rem">{attemptResult(last_attempt)}</Box>,
  },
  { label: text.created, cell: ({ created_ts }) => <Time at={created_ts} /> },
  { label: text.nextAttempt, cell: ({ next_attempt_ts }) => <Time at={next_attempt_ts} /> },
];

export interface DeliveryTableProps {
  readonly label: string;
  readonly list: List<Delivery>;
  readonly empty: ReactNode;
  /** Whether all deliveries are for one webhook, whose name the page already shows. */
  readonly isOfOneWebhook?: true;
}

export function DeliveryTable({ label, list, empty, isOfOneWebhook }: DeliveryTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  // Exclude deliveries that are no longer in the list, because the user cannot see them.
  const selected = list.items.filter(({ id }) => chosen.has(id));
  const isAll = selected.length > 0 && selected.length === list.items.length;
  const toggle = ({ id }: Delivery): void =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const clear = () => setChosen(new Set());
  const select: Column<Delivery> = {
    label: text.select,
    headLabel: text.selectAll,
    head: (
      <Checkbox
        size="xs"
        aria-label={text.selectAll}
        checked={isAll}
        indeterminate={selected.length > 0 && !isAll}
        onChange={() => (isAll ? clear() : setChosen(new Set(list.items.map(({ id }) => id))))}
      />
    ),
    cell: (delivery) => (
      <Checkbox
        size="xs"
        aria-label={text.selectOne(eventOf(delivery), text.statuses[delivery.status])}
        checked={chosen.has(delivery.id)}
        onChange={() => toggle(delivery)}
      />
    ),
  };
  const columns = COLUMNS.filter((column) => !isOfOneWebhook || column.label !== text.webhook);
  return (
    <>
      {selected.length > 0 && (
        <Group gap="xs" mb="xs">
          <Text fw={600} size="sm" role="status">
            {text.selected(number(selected.length))}
          </Text>
          <Button variant="default" onClick={() => setAsking(true)}>
            {text.resendSelected}
          </Button>
          <Button variant="subtle" onClick={clear}>
            {text.clearSelection}
          </Button>
        </Group>
      )}
      <ListTable
        label={label}
        list={list}
        columns={[select, ...columns]}
        keyOf={({ id }) => id}
        empty={empty}
      />
      {isAsking && (
        <ResendDialog
          title={text.resendManyTitle(number(selected.length))}
          question={text.resendManyText}
          find={async () => selected}
          onClose={(isDone) => {
            setAsking(false);
            if (isDone) clear();
          }}
        />
      )}
    </>
  );
}
