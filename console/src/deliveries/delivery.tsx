/** One delivery: event, webhook, record, all details of each attempt, and a button to resend the delivery. */

import { Button, Code, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isNotFound } from "@leadport/client";
import { IconSend } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ask, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { BackLink, QueryState, Empty, Failure, TextLink } from "../ui/states/index.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Fact, Facts, StatusBadge, Time } from "../ui/lists/index.ts";
import { dateTime } from "../ui/format/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { eventOf } from "./attempt-result.ts";
import { Attempts } from "./attempts.tsx";
import { Clipped, RecordName, WebhookName } from "./delivery-links.tsx";
import { DELIVERIES, type DeliveryInFull } from "./search.ts";

const text = t.deliveries;

/** How often to reload a pending delivery. */
const WATCH_ms = 2000;

const pathOf = (id: string): string => `${DELIVERIES}/${encodeURIComponent(id)}`;

export default function DeliveryPage() {
  const { id } = useParams({ from: "/console/deliveries/$id" });
  const query = useQuery({
    queryKey: ["delivery", id],
    queryFn: async ({ signal }) => (await ask<DeliveryInFull>("get", pathOf(id), { signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.status === "pending" ? WATCH_ms : false),
  });
  const { data: delivery } = query;
  if (delivery === undefined) {
    if (isNotFound(query.error)) {
      return <Empty order={1} title={t.errors.notFoundTitle} hint={t.errors.notFound} />;
    }
    return <QueryState query={query} />;
  }
  return (
    <>
      <BackLink to="/deliveries">{text.title}</BackLink>
      <PageHeader
        title={`${text.one}: ${eventOf(delivery)}`}
        actions={<Resend delivery={delivery} />}
      />
      <Stack gap="xl">
        <About delivery={delivery} />
        <Attempts attempts={delivery.attempts} />
      </Stack>
    </>
  );
}

/** Resends a delivery. Asks for confirmation if the endpoint already accepted it. */
function Resend({ delivery: { id, status } }: { readonly delivery: DeliveryInFull }) {
  const queries = useQueryClient();
  const work = async () => ask("post", `${pathOf(id)}/resend`);
  const onDone = async (): Promise<void> => {
    notifications.show({ color: "teal", message: text.resent });
    await queries.invalidateQueries({ queryKey: ["delivery", id] });
    await queries.invalidateQueries({ queryKey: ["list", DELIVERIES] });
  };
  const sending = useSending(work, onDone);
  if (status === "delivered") {
    return (
      <ConfirmButton
        title={text.resendTitle}
        text={text.resendText}
        confirm={text.resend}
        work={work}
        onDone={onDone}
      >
        {text.resend}
      </ConfirmButton>
    );
  }
  return (
    <Stack gap={0} align="flex-end">
      <Button
        leftSection={<IconSend size={16} aria-hidden />}
        loading={sending.isSending}
        onClick={() => sending.send(undefined)}
      >
        {status === "pending" ? text.sendNow : text.resend}
      </Button>
      <Failure error={sending.error} />
    </Stack>
  );
}

function About({ delivery }: { readonly delivery: DeliveryInFull }) {
  const { id, status, webhook, record, url, delivered_ts, next_attempt_ts } = delivery;
  return (
    <Facts>
      <Fact label={text.status}>
        <StatusBadge value={status} label={text.statuses[status]} />
      </Fact>
      <Fact label={text.event}>{eventOf(delivery)}</Fact>
      <Fact label={text.webhook}>
        {webhook === null || webhook === undefined ? (
          t.common.none
        ) : (
          <>
            <Clipped title={webhook.url}>
              <WebhookName webhook={webhook} />
            </Clipped>
            <TextLink size="xs" to="/deliveries" search={{ webhook_id: webhook.id }}>
              {text.sameWebhook}
            </TextLink>
          </>
        )}
      </Fact>
      <Fact label={text.record}>
        {record === null || record === undefined ? (
          t.common.none
        ) : (
          <>
            <Clipped title={record.name}>
              <RecordName record={record} />
            </Clipped>
            <TextLink size="xs" to="/deliveries" search={{ record_id: record.id }}>
              {text.sameRecord}
            </TextLink>
          </>
        )}
      </Fact>
      <Fact label={text.address}>{url}</Fact>
      <Fact label={text.created}>{dateTime(delivery.created_ts)}</Fact>
      {typeof next_attempt_ts === "number" && (
        <Fact label={text.nextAttempt}>
          <Time at={next_attempt_ts} />
        </Fact>
      )}
      {typeof delivered_ts === "number" && (
        <Fact label={text.delivered}>{dateTime(delivered_ts)}</Fact>
      )}
      <Fact label={text.id}>
        <Code>{id}</Code>
      </Fact>
    </Facts>
  );
}
