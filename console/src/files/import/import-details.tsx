/** What happened to each column of an imported file. */

import { Card, Title } from "@mantine/core";
import { fieldLabel } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { orNone } from "../../ui/format/index.ts";
import { type Column, DataTable } from "../../ui/lists/index.ts";
import { columnsOf } from "./column-outcomes.ts";
import type { Import } from "./import.ts";

const COLUMNS: readonly Column<ReturnType<typeof columnsOf>[number]>[] = [
  { label: t.files.heading, cell: ({ heading }) => heading },
  {
    label: t.files.wordField,
    cell: ({ field }) => (field === undefined ? orNone(field) : fieldLabel(field)),
  },
  { label: t.files.result, cell: ({ label }) => label },
];

export function ImportDetails({ job: { mapping, file } }: { readonly job: Import }) {
  if (mapping === null) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2} mb="xs">
        {t.files.details}
      </Title>
      <DataTable
        label={t.files.details}
        items={columnsOf(mapping, file?.headings, undefined)}
        columns={COLUMNS}
        keyOf={({ heading }) => heading}
      />
    </Card>
  );
}
