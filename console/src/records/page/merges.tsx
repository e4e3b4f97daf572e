/** The records that were merged into a record. A merge can be undone for a limited time. */

import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { ask, useList, useMay, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { dateTime } from "../../ui/format/index.ts";
import { type RecordType, type Stored, writePath } from "../../record/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { Time } from "../../ui/lists/index.ts";
import { keepRecord } from "../../requests/index.ts";

export interface MergesProps {
  readonly type: RecordType;
  readonly record: Stored;
}

interface Merge {
  readonly id: string;
  readonly merged_ids: readonly string[];
  readonly merged_ts: number;
  readonly undone_ts: number | null;
  readonly is_undoable: boolean;
}

export function Merges({ type, record }: MergesProps) {
  const mayWrite = useMay("records:write");
  const queries = useQueryClient();
  const path = `${writePath(type, record._id)}/merges`;
  const { items, query } = useList<Merge>(path);
  const undoing = useSending(
    async ({ id }: Merge) => (await ask<Stored>("post", `${path}/${id}/undo`, { body: {} })).data,
    async (survivor) => {
      notifications.show({ message: t.record.mergeUndone, color: "teal" });
      await keepRecord(queries, type, survivor);
    },
  );
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return null;
  return (
    <Section title={t.record.merges}>
      <Stack gap="xs">
        {items.map((merge) => (
          <Group key={merge.id} justify="space-between" gap="xs" mih={30}>
            <Text size="sm">
              {t.record.mergedCount(merge.merged_ids.length)} · <Time at={merge.merged_ts} />
            </Text>
            {merge.undone_ts !== null && (
              <Text size="sm" c="dimmed">
                {t.record.undone}
              </Text>
            )}
            {mayWrite && merge.is_undoable && (
              <Button
                size="xs"
                variant="default"
                loading={undoing.isSending}
                aria-label={t.record.undoOf(dateTime(merge.merged_ts))}
                onClick={() => undoing.send(merge)}
              >
                {t.record.undo}
              </Button>
            )}
          </Group>
        ))}
        <Failure error={undoing.error} />
      </Stack>
    </Section>
  );
}
