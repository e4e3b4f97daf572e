/** Replays the events from a time range and shows the progress of the latest replay. */

import { Button, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { EventReplay } from "@leadport/client";
import dayjs, { type Dayjs } from "dayjs";
import { api, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { dateTime, number } from "../../ui/format/index.ts";
import { Section } from "../../ui/frame/index.ts";
import type { EventWebhook } from "./webhook.ts";

const text = t.webhooks;

export interface ReplayProps {
  readonly webhook: EventWebhook;
  readonly onBegun: () => unknown;
}

/** Formats a time for a browser input: to the minute, in the user's time zone. */
const minuteOf = (at: Dayjs): string => at.format("YYYY-MM-DDTHH:mm");

export function Replay({ webhook, onBegun }: ReplayProps) {
  const form = useForm({
    initialValues: {
      start: minuteOf(dayjs().subtract(1, "day")),
      end: minuteOf(dayjs()),
    },
  });
  const { send, isSending, issues, unplaced } = useSending(
    async ({ start, end }: typeof form.values) =>
      api.post("/crm/webhooks/{webhook_id}/replay", {
        path: { webhook_id: webhook.id },
        // Include the whole last minute.
        body: { start_date: dayjs(start).unix(), end_date: dayjs(end).unix() + 59 },
      }),
    onBegun,
  );
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
          <Failure error={unplaced} />
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
  const textOf = finished_date === null ? text.replayRunning : text.replayDone;
  return (
    <Group gap="sm" role="status" wrap="nowrap" align="flex-start">
      {finished_date === null && <Loader size="xs" mt={4} aria-hidden />}
      <div>
        <Text size="sm">{textOf(number(changes), number(events))}</Text>
        <Text size="sm" c="dimmed">
          {text.replayRange(from ?? "", to ?? "")}
        </Text>
      </div>
    </Group>
  );
}
