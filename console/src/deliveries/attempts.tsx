/** A delivery's attempts: request, response, and the request as a curl command. The newest attempt is expanded. */

import { Accordion, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../text/index.ts";
import { bytes, dateTime, number } from "../ui/format/index.ts";
import { Copy } from "../ui/forms/index.ts";
import { StatusBadge } from "../ui/lists/index.ts";
import { attemptResult } from "./attempt-result.ts";
import { curlOf, maskedNames } from "./curl.ts";
import classes from "./delivery.module.css";
import { Body, Headers, PartTitle } from "./payload.tsx";
import type { Attempt } from "./search.ts";

const text = t.deliveries;
/** The maximum size of a response body that the service reads and stores, in bytes. */
const RESPONSE_BYTES_READ = 65_536;
const RESPONSE_BYTES_STORED = 2048;

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <section aria-labelledby="attempts">
      <Title order={2} id="attempts" mb="xs">
        {text.attempts}
      </Title>
      {attempts.length === 0 ? (
        <Note>{text.noAttempts}</Note>
      ) : (
        // With this key, a new attempt is expanded and the previous one is collapsed.
        <AttemptList key={attempts.length} attempts={attempts} />
      )}
    </section>
  );
}

function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const [open, setOpen] = useState([String(attempts.length)]);
  const items = attempts.map((attempt, at) => {
    const count = String(at + 1);
    return (
      <Accordion.Item key={count} value={count}>
        <AttemptHead attempt={attempt} count={count} />
        <Accordion.Panel>
          {/* Bodies can be long, so they are rendered only for expanded attempts. */}
          {open.includes(count) && (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
              <Sent attempt={attempt} />
              <Received attempt={attempt} />
            </SimpleGrid>
          )}
        </Accordion.Panel>
      </Accordion.Item>
    );
  });
  return (
    <Accordion multiple variant="separated" order={3} value={open} onChange={setOpen}>
      {items.toReversed()}
    </Accordion>
  );
}

interface AttemptHeadProps {
  readonly attempt: Attempt;
  readonly count: string;
}

function AttemptHead({ attempt, count }: AttemptHeadProps) {
  const { at, status, fault, duration_ms } = attempt;
  const isAccepted = status !== null && status >= 200 && status < 300 && fault === null;
  return (
    <Accordion.Control>
      <Group gap="xs" pr="xs">
        <Text size="sm" fw={600}>
          {text.attempt(count)}
        </Text>
        <StatusBadge value={isAccepted ? "succeeded" : "failed"} label={attemptResult(attempt)} />
        <Text size="sm" c="dimmed" component="span">
          <time dateTime={at}>{dateTime(Date.parse(at) / 1000)}</time>
          {` · ${text.milliseconds(number(duration_ms))}`}
        </Text>
      </Group>
    </Accordion.Control>
  );
}

const Note = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

/**
 * Whether no request was sent, because the delivery was no longer needed or because of an internal
 * error.
 */
const isNotCreated = ({ fault }: Attempt): boolean => fault === "skipped" || fault === "internal";

function Sent({ attempt }: { readonly attempt: Attempt }) {
  const { request } = attempt;
  if (request === null) {
    return (
      <Stack gap="xs">
        <PartTitle title={text.request} />
        <Note>{isNotCreated(attempt) ? text.notCreated : text.notStored}</Note>
      </Stack>
    );
  }
  const { method, url, headers, body, body_bytes } = request;
  const stored_bytes = new TextEncoder().encode(body ?? "").length;
  const isCut = stored_bytes < body_bytes;
  const masked = maskedNames(request);
  return (
    <Stack gap="xs" miw={0}>
      <PartTitle title={text.request}>
        {!isCut && <Copy text={curlOf(request)} label={text.copyCurl} />}
      </PartTitle>
      <Text size="sm" ff="monospace" className={classes["address"] ?? ""}>
        {method} {url}
      </Text>
      {isCut && <Note>{text.copyCurlCut}</Note>}
      {masked.length > 0 && !isCut && <Note>{text.copyCurlMasked(masked.join(", "))}</Note>}
      <Headers label={`${text.request}: ${text.headers}`} headers={headers} />
      {body === null ? (
        <Note>{text.noBody}</Note>
      ) : (
        <Body
          content={body}
          raw={text.raw}
          cut={isCut ? { stored_bytes, whole: bytes(body_bytes, 1024) } : undefined}
        />
      )}
    </Stack>
  );
}

function Received({ attempt }: { readonly attempt: Attempt }) {
  const { status, answer, answer_headers, answer_bytes } = attempt;
  const isCut = answer_bytes !== null && answer_bytes > RESPONSE_BYTES_STORED;
  const size = bytes(answer_bytes ?? 0, 1024);
  const whole = answer_bytes === RESPONSE_BYTES_READ ? text.atLeast(size) : size;
  return (
    <Stack gap="xs" miw={0}>
      <PartTitle title={text.response} />
      <Text size="sm">{attemptResult(attempt)}</Text>
      {status !== null &&
        (answer_headers === null ? (
          <Note>{text.headersNotStored}</Note>
        ) : (
          <Headers label={`${text.response}: ${text.headers}`} headers={answer_headers} />
        ))}
      {typeof answer === "string" && (
        <Body
          content={answer}
          raw={text.rawResponse}
          cut={isCut ? { stored_bytes: RESPONSE_BYTES_STORED, whole } : undefined}
        />
      )}
    </Stack>
  );
}
