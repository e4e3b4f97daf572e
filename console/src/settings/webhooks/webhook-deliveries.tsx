/** What was sent to a webhook, or is to be sent. */

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconRefresh, IconSend } from "@tabler/icons-react";
import type { Delivery } from "@leadport/client";
import { useQueryClient } from "@tanstack/react-query";
import { api, useList, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Empty, Failure } from "../../ui/states/index.ts";
import { number, words } from "../../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../../ui/lists/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { WEBHOOKS } from "./webhook.ts";

const text = t.webhooks;

/** `<webhook>.<change>.<event>`: the event. */
const eventOf = ({ subject_id }: Delivery): string => subject_id.split(".").slice(2).join(".");

const COLUMNS: readonly Column<Delivery>[] = [
  { label: text.status, cell: ({ status }) => <StatusBadge value={status} /> },
  { label: text.event, cell: eventOf },
  { label: text.tries, cell: ({ attempt_count }) => number(attempt_count), isNumber: true },
  { label: text.lastAnswer, cell: (delivery) => lastAnswer(delivery) },
  { label: text.promised, cell: ({ created_ts }) => <Time at={created_ts} /> },
  { label: text.nextTry, cell: ({ next_attempt_ts }) => <Time at={next_attempt_ts} /> },
];

function lastAnswer({ last_attempt: last }: Delivery): string {
  if (last === null || last === undefined) return t.common.none;
  if (last.status !== null) return String(last.status);
  return last.fault === null ? t.common.none : words(last.fault);
}

export function WebhookDeliveries({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const path = `${WEBHOOKS}/${id}/deliveries`;
  const list = useList<Delivery>(path);
  const refresh = async () => queries.invalidateQueries({ queryKey: ["list", path] });
  const resending = useSending(
    async (delivery_id: string) =>
      api.post("/crm/admin/deliveries/{delivery_id}/resend", { path: { delivery_id } }),
    async () => {
      notifications.show({ message: text.resent });
      await refresh();
    },
  );
  const acts: Column<Delivery> = {
    label: text.resend,
    cell: (delivery) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={text.resendOf(eventOf(delivery))}
        disabled={resending.isSending}
        onClick={() => resending.send(delivery.id)}
      >
        {text.resend}
      </Button>
    ),
  };
  return (
    <Section
      title={text.deliveries}
      hint={text.deliveriesHint}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={list.query.isRefetching}
          onClick={() => void list.query.refetch()}
        >
          {text.refresh}
        </Button>
      }
    >
      <Failure error={resending.error} />
      <ListTable
        label={text.deliveries}
        list={list}
        columns={[...COLUMNS, acts]}
        keyOf={(delivery) => delivery.id}
        empty={<Empty icon={IconSend} title={text.noDeliveriesTitle} hint={text.noDeliveries} />}
      />
    </Section>
  );
}
