/** Rejected rows with their reasons, and warnings about other rows. */

import { Card, Stack, Text, Title } from "@mantine/core";
import { fieldLabel } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { number, orNone } from "../../ui/format/index.ts";
import { type Column, DataTable } from "../../ui/lists/index.ts";
import classes from "./files.module.css";
import type { Import, Reject } from "./import.ts";

export interface RefusedProps {
  readonly job: Import;
  /**
   * The maximum number of rows to show. If omitted, all rows that the service returns are shown.
   */
  readonly max?: number;
}

export function Refused({ job: { rejects = [], refused, dry_run }, max = Infinity }: RefusedProps) {
  if (rejects.length === 0) return null;
  const shown = rejects.slice(0, max);
  const title = dry_run ? t.files.refusedCheckTitle : t.files.refusedTitle;
  return (
    <Card withBorder padding="lg" component="section">
      <Stack gap={2} mb="xs">
        <Title order={2}>{title}</Title>
        {shown.length < refused && (
          <Text size="sm" c="dimmed">
            {t.files.refusedFirst(shown.length, refused)}
          </Text>
        )}
      </Stack>
      <DataTable
        label={title}
        items={shown}
        columns={REJECT_COLUMNS}
        keyOf={({ line }) => String(line)}
      />
    </Card>
  );
}

const REJECT_COLUMNS: readonly Column<Reject>[] = [
  { label: t.files.line, isNumber: true, cell: ({ line }) => number(line) },
  { label: t.files.reason, isLong: true, cell: ({ reason }) => reason },
  {
    label: t.files.raw,
    isLong: true,
    cell: ({ raw }) => <div className={classes["raw"]}>{shortened(raw)}</div>,
  },
];

const RAW_MAX = 300;

const shortened = (raw: string): string =>
  raw.length > RAW_MAX ? `${raw.slice(0, RAW_MAX)}…` : raw;

export interface WarningsProps {
  readonly job: Import;
  /** Kinds of warnings that are shown elsewhere on the page. */
  readonly without?: readonly string[];
}

const WARNING_COLUMNS: readonly Column<Import["words"][number]>[] = [
  { label: t.files.warning, cell: ({ kind }) => t.files.warningKinds[kind] ?? kind },
  {
    label: t.files.warningField,
    cell: ({ field }) => (field === null ? orNone(field) : fieldLabel(field)),
  },
  { label: t.files.warningWord, cell: ({ word }) => orNone(word) },
  { label: t.files.rows, isNumber: true, cell: ({ rows }) => number(rows) },
];

export function Warnings({ job: { words }, without = [] }: WarningsProps) {
  const shown = words.filter(({ kind }) => !without.includes(kind));
  if (shown.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2} mb="xs">
        {t.files.warningsTitle}
      </Title>
      <DataTable
        label={t.files.warningsTitle}
        items={shown}
        columns={WARNING_COLUMNS}
        keyOf={({ kind, field, word }) => `${kind} ${field} ${word}`}
      />
    </Card>
  );
}
