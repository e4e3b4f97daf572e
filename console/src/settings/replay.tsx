/** The events of a range of time are sent again; the newest such replay tells how far it is. */

import { Button, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { EventReplay } from "@leadport/client";
import { api } from "../api/client.ts";
import { t } from "../text/index.ts";
import { Failure } from "../ui/failure.tsx";
import { dateTime, number } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { useSending } from "../ui/use-sending.ts";
import type { EventWebhook } from "./webhook.ts";

const text = t.webhooks;
const DAY_ms = 86_400_000;

export interface ReplayProps {
  readonly webhook: EventWebhook;
  readonly onBegun: () => unknown;
}

/** A moment as an input of a browser has it: to the minute, in the person's zone. */
function localMinute(at_ms: number): string {
  const at = new Date(at_ms);
  return new Date(at_ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Epoch seconds of what such an input holds. */
const secondsOf = (minute: string): number => Math.floor(new Date(minute).getTime() / 1000);

export function Replay({ webhook, onBegun }: ReplayProps) {
  const form = useForm({
    initialValues: {
      start: localMinute(Date.now() - DAY_ms),
      end: localMinute(Date.now()),
    },
  });
  const { send, isSending, error, issues } = useSending(
    async ({ start, end }: typeof form.values) =>
      api.post("/crm/webhooks/{webhook_id}/replay", {
        path: { webhook_id: webhook.id },
        // The whole of the last minute.
        body: { start_date: secondsOf(start), end_date: secondsOf(end) + 59 },
      }),
    onBegun,
  );
  const isPlaced = Object.keys(issues).length > 0;
  const { replay } = webhook;
  return (
    <Section title={text.replayTitle} hint={text.replayHint}>
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="sm">
          <TextInput
            type="datetime-local"
            label={text.replayFrom}
            required
            {...form.getInputProps("start")}
            error={issues["start_date"]}
          />
          <TextInput
            type="datetime-local"
            label={text.replayTo}
            required
            {...form.getInputProps("end")}
            error={issues["end_date"]}
          />
          {error !== null && !isPlaced && <Failure error={error} />}
          <div>
            <Button type="submit" variant="default" loading={isSending}>
              {text.replay}
            </Button>
          </div>
        </Stack>
      </form>
      {replay !== undefined && replay !== null && <Progress replay={replay} />}
    </Section>
  );
}

function Progress({ replay }: { readonly replay: EventReplay }) {
  const { start_date, end_date, changes, events, finished_date } = replay;
  const [from, to] = [start_date, end_date].map((iso) => dateTime(Date.parse(iso) / 1000));
  const told = finished_date === null ? text.replayRunning : text.replayDone;
  return (
    <Group gap="sm" role="status" wrap="nowrap" align="flex-start">
      {finished_date === null && <Loader size="xs" mt={4} aria-hidden />}
      <div>
        <Text size="sm">{told(number(changes), number(events))}</Text>
        <Text size="sm" c="dimmed">
          {text.replayRange(from ?? "", to ?? "")}
        </Text>
      </div>
    </Group>
  );
}
