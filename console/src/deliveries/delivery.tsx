/** One delivery: where it went, each attempt with what came back, and sending it again. */

import { Button, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isNotFound } from "@leadport/client";
import { IconArrowLeft, IconSend } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ask, useSending } from "../api/index.ts";
import { t } from "../text/index.ts";
import { Awaited, Empty, Failure, TextLink } from "../ui/states/index.ts";
import { ConfirmButton } from "../ui/forms/index.ts";
import { Fact, Facts, StatusBadge, Time } from "../ui/lists/index.ts";
import { dateTime } from "../ui/format/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { answerOf, topicLabel } from "./answer.ts";
import classes from "./delivery.module.css";
import { DELIVERIES, type Attempt, type DeliveryInFull } from "./search.ts";

/** While it waits for its endpoint, how it goes is read anew so often. */
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
    return <Awaited query={query} />;
  }
  return (
    <>
      <TextLink to="/deliveries" size="sm" display="inline-block" mb="xs" py={2}>
        <IconArrowLeft size={14} aria-hidden className={classes["icon"]} /> {t.deliveries.title}
      </TextLink>
      <PageHeader
        title={`${t.deliveries.one}: ${topicLabel(delivery.topic)}`}
        actions={<Resend delivery={delivery} />}
      />
      <Stack gap="xl">
        <About delivery={delivery} />
        <Attempts attempts={delivery.attempts} />
      </Stack>
    </>
  );
}

/** Sends it anew; what was taken already only when the person is sure. */
function Resend({ delivery: { id, status } }: { readonly delivery: DeliveryInFull }) {
  const queries = useQueryClient();
  const work = async () => ask("post", `${pathOf(id)}/resend`);
  const onDone = async (): Promise<void> => {
    notifications.show({ color: "teal", message: t.deliveries.resent });
    await queries.invalidateQueries({ queryKey: ["delivery", id] });
    await queries.invalidateQueries({ queryKey: ["list", DELIVERIES] });
  };
  const sending = useSending(work, onDone);
  if (status === "delivered") {
    return (
      <ConfirmButton
        title={t.deliveries.resendTitle}
        text={t.deliveries.resendText}
        confirm={t.deliveries.resend}
        work={work}
        onDone={onDone}
      >
        {t.deliveries.resend}
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
        {status === "pending" ? t.deliveries.sendNow : t.deliveries.resend}
      </Button>
      <Failure error={sending.error} />
    </Stack>
  );
}

function About({ delivery }: { readonly delivery: DeliveryInFull }) {
  const { id, status, topic, subject_id, url, delivered_ts, next_attempt_ts } = delivery;
  return (
    <Facts>
      <Fact label={t.deliveries.status}>
        <StatusBadge value={status} label={t.deliveries.statuses[status]} />
      </Fact>
      {topic === "lead.imported" && (
        <Fact label={t.deliveries.about}>
          <TextLink to="/review/$id" params={{ id: subject_id }} search={{ status: "all" }}>
            {t.deliveries.lead}
          </TextLink>
        </Fact>
      )}
      <Fact label={t.deliveries.address}>{url}</Fact>
      <Fact label={t.deliveries.created}>{dateTime(delivery.created_ts)}</Fact>
      {typeof next_attempt_ts === "number" && (
        <Fact label={t.deliveries.nextAttempt}>
          <Time at={next_attempt_ts} />
        </Fact>
      )}
      {typeof delivered_ts === "number" && (
        <Fact label={t.deliveries.delivered}>{dateTime(delivered_ts)}</Fact>
      )}
      <Fact label={t.deliveries.id}>
        <Code>{id}</Code>
      </Fact>
    </Facts>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <section aria-labelledby="attempts">
      <Title order={2} id="attempts" mb="xs">
        {t.deliveries.attempts}
      </Title>
      {attempts.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t.deliveries.noAttempts}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-labelledby="attempts">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.deliveries.at}</Table.Th>
                <Table.Th>{t.deliveries.answer}</Table.Th>
                <Table.Th ta="right">{t.deliveries.took}</Table.Th>
                <Table.Th>{t.deliveries.showAnswer}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempts.toReversed().map((attempt) => (
                <AttemptRow key={attempt.at} attempt={attempt} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const { at, status, fault, duration_ms, answer } = attempt;
  const isTaken = status !== null && status >= 200 && status < 300 && fault === null;
  return (
    <Table.Tr>
      <Table.Td>
        <time dateTime={at}>{dateTime(Date.parse(at) / 1000)}</time>
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <StatusBadge value={isTaken ? "succeeded" : "failed"} label={answerOf(attempt)} />
        </Group>
      </Table.Td>
      <Table.Td ta="right">{t.deliveries.milliseconds(duration_ms)}</Table.Td>
      <Table.Td>
        {answer === null || answer === undefined ? (
          t.common.none
        ) : answer === "" ? (
          t.deliveries.emptyAnswer
        ) : (
          <Code block className={classes["answer"]}>
            {answer}
          </Code>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
