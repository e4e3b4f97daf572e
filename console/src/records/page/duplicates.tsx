/** A record's possible duplicates, which can be compared and merged. */

import { Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowsLeftRight } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { percent } from "../../ui/format/index.ts";
import { writePath, type RecordType, type Stored } from "../../record/index.ts";
import { CompareDialog } from "./compare-dialog.tsx";
import { Section } from "../../ui/frame/index.ts";

export interface DuplicatesProps {
  readonly type: RecordType;
  readonly record: Stored;
}

interface Duplicate {
  /** The similarity, from 0.5 to 1. */
  readonly score: number;
  readonly matched_on: readonly string[];
  readonly record: Stored;
}

const duplicatesQuery = (type: RecordType, id: string) =>
  queryOptions({
    queryKey: ["list", "duplicates", type.name, id],
    queryFn: async ({ signal }) =>
      (await ask<readonly Duplicate[]>("get", `${writePath(type, id)}/duplicates`, { signal }))
        .data,
  });

const SHOWN_MAX = 5;

export function Duplicates({ type, record }: DuplicatesProps) {
  const { data = [], error, refetch } = useQuery(duplicatesQuery(type, record._id));
  const [shown, setShown] = useState(SHOWN_MAX);
  const [compared, setCompared] = useState<Stored>();
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return null;
  return (
    <Section title={t.record.duplicates}>
      <Stack gap="sm">
        {data.slice(0, shown).map(({ score, matched_on, record: other }) => (
          <Group key={other._id} justify="space-between" wrap="nowrap" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} truncate>
                {other.name}
              </Text>
              <Text size="xs" c="dimmed">
                {percent(score)} ·{" "}
                {matched_on.map((way) => t.record.matched[way] ?? way).join(", ")}
              </Text>
            </div>
            <Button
              size="xs"
              variant="default"
              flex="none"
              leftSection={<IconArrowsLeftRight size={14} aria-hidden />}
              aria-label={t.record.compareWith(other.name)}
              onClick={() => setCompared(other)}
            >
              {t.record.compare}
            </Button>
          </Group>
        ))}
        {data.length > shown && (
          <Button size="xs" variant="default" onClick={() => setShown(data.length)}>
            {t.common.showMore}
          </Button>
        )}
      </Stack>
      {compared !== undefined && (
        <CompareDialog
          type={type}
          record={record}
          other={compared}
          onClose={() => setCompared(undefined)}
        />
      )}
    </Section>
  );
}
