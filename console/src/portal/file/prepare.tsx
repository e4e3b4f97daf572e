/** A parsed file: its columns, its first rows, and the submit button. */

import { Button, Group, Select, Stack } from "@mantine/core";
import { useMemo, useState } from "react";
import { portalFileTexts } from "../../text/portal.ts";
import { number, wordOptions } from "../../ui/format/index.ts";
import { usePartner } from "../partner/index.ts";
import { ColumnChoice } from "./column-choice.tsx";
import { faultOf, guessMeanings } from "./columns.ts";
import type { ReadFile } from "./drop-file.tsx";
import { Preview } from "./preview.tsx";
import { problemsText } from "./problem-text.ts";
import { canSubmit, rowsOf } from "./rows.ts";
import { beginRun } from "./current-run.ts";

const texts = portalFileTexts;

export interface PrepareProps {
  readonly file: ReadFile;
  readonly onOther: () => void;
}

export function Prepare({ file: { name, table }, onOther }: PrepareProps) {
  const { partner_id, allowed_marketing_sources: sources } = usePartner();
  const [meanings, setMeanings] = useState(() => guessMeanings(table.headings));
  const [source, setSource] = useState(sources[0]);
  const rows = useMemo(
    () => rowsOf(table, { meanings, sources, source }),
    [table, meanings, sources, source],
  );
  const isUsable = faultOf(meanings) === undefined;
  const count = isUsable ? rows.filter(canSubmit).length : 0;
  const begin = () =>
    beginRun({
      partnerId: partner_id,
      fileName: name,
      headings: table.headings,
      rows,
      refusal: (row) => (canSubmit(row) ? undefined : problemsText(row)),
    });
  return (
    <Stack gap="lg">
      <ColumnChoice table={table} meanings={meanings} onChange={setMeanings} />
      {source !== undefined && (
        <Select
          label={texts.source}
          data={wordOptions(sources)}
          value={source}
          allowDeselect={false}
          onChange={(value) => setSource(sources.find((one) => one === value) ?? source)}
          maw={340}
        />
      )}
      {isUsable && <Preview rows={rows} />}
      <Group gap="xs">
        <Button onClick={begin} disabled={count === 0}>
          {count === 1 ? texts.startOne : texts.start(number(count))}
        </Button>
        <Button variant="default" onClick={onOther}>
          {texts.other}
        </Button>
      </Group>
    </Stack>
  );
}
