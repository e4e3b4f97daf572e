/** Actions for the selected records. */

import { Button, Group, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { t } from "../../text/index.ts";
import { number } from "../../ui/format/index.ts";
import { isConverted, type RecordType } from "../../record/index.ts";
import type { Deed } from "./bulk-dialog.tsx";
import type { Selection } from "../list/index.ts";
import { columnLabel } from "../fields/index.ts";

/** Loaded on demand, because most visits to a table change nothing. */
const BulkDialog = lazy(async () => ({
  default: (await import("./bulk-dialog.tsx")).BulkDialog,
}));

export interface BulkBarProps {
  readonly type: RecordType;
  readonly selection: Selection;
}

export function BulkBar({ type, selection }: BulkBarProps) {
  const [deed, setDeed] = useState<Deed>();
  const { selected, clear } = selection;
  // A converted lead continues as a contact, so its status no longer matters.
  const hasOpen = [...selected.values()].some((record) => !isConverted(type, record));
  return (
    <Group gap="xs" mb="xs" mih={36} role="group" aria-label={t.table.bulk.label}>
      <Text fw={600} size="sm" role="status">
        {t.table.selected(number(selected.size))}
      </Text>
      {hasOpen && (
        <Button variant="default" onClick={() => setDeed("status")}>
          {t.table.bulk.setStatus(columnLabel(type, type.status_field))}
        </Button>
      )}
      {type.fields["tags"] !== undefined && (
        <Button variant="default" onClick={() => setDeed("tag")}>
          {t.table.bulk.addTag}
        </Button>
      )}
      <Button variant="subtle" onClick={clear}>
        {t.table.bulk.clear}
      </Button>
      {deed !== undefined && (
        <Suspense fallback={null}>
          <BulkDialog
            type={type}
            deed={deed}
            selection={selection}
            onClose={() => setDeed(undefined)}
          />
        </Suspense>
      )}
    </Group>
  );
}
