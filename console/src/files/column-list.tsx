/** Each column in the file, with sample values and the field it is imported to. */

import { Box, Card, Group, NativeSelect, SegmentedControl, Text, Title } from "@mantine/core";
import { useState } from "react";
import { fieldLabel, type RecordType } from "../record/index.ts";
import { t } from "../text/index.ts";
import {
  choiceOf,
  type ColumnOutcome,
  type ImportOptions,
  LEFT_OUT,
  type Sample,
  targetsOf,
  withChoice,
} from "./import/index.ts";
import classes from "./import/files.module.css";

export interface ColumnListProps {
  readonly type: RecordType;
  readonly columns: readonly ColumnOutcome[];
  readonly sample: Sample | undefined;
  readonly options: ImportOptions;
  readonly onOptions: (options: ImportOptions) => void;
}

const SHOWS = ["all", "taken", "left"] as const;

export function ColumnList({ type, columns, sample, options, onOptions }: ColumnListProps) {
  const [show, setShow] = useState<(typeof SHOWS)[number]>("all");
  const lists = {
    all: columns,
    taken: columns.filter(({ isTaken }) => isTaken),
    left: columns.filter(({ isTaken }) => !isTaken),
  };
  const labels = {
    all: t.files.showAll(lists.all.length),
    taken: t.files.showTaken(lists.taken.length),
    left: t.files.showLeft(lists.left.length),
  };
  const fields = targetsOf(type).map((value) => ({ value, label: fieldLabel(value) }));
  const choices = [
    { value: LEFT_OUT, label: t.files.leaveOut },
    ...fields.toSorted((a, b) => a.label.localeCompare(b.label)),
  ];
  return (
    <Card withBorder padding="lg" component="section">
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2}>{t.files.headings}</Title>
          <Text size="sm" c="dimmed" mt={2}>
            {t.files.headingsHint}
          </Text>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t.files.show}
          value={show}
          onChange={(value) => setShow(value)}
          data={SHOWS.map((value) => ({ value, label: labels[value] }))}
        />
      </Group>
      <ul className={classes["headings"]}>
        {lists[show].map((column) => (
          <li key={column.heading} className={classes["heading"]}>
            <Box miw={0}>
              <Text
                size="sm"
                fw={600}
                lineClamp={3}
                title={column.heading}
                className={classes["text"]}
              >
                {column.heading}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {samplesOf(sample, column.heading)}
              </Text>
            </Box>
            <NativeSelect
              size="xs"
              aria-label={t.files.fieldOf(column.heading)}
              disabled={column.isFixed}
              value={choiceOf(column, options)}
              onChange={({ currentTarget }) =>
                onOptions(withChoice(options, column.heading, currentTarget.value))
              }
              data={
                column.field === undefined && column.isFixed
                  ? [{ value: "", label: column.label }]
                  : choices
              }
            />
            <Text size="xs" c="dimmed" className={classes["text"]}>
              {isChanged(column, options) ? t.files.changed : column.label}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether the user changed the column's field since the last check. */
function isChanged(column: ColumnOutcome, options: ImportOptions): boolean {
  const choice = choiceOf(column, options);
  return choice === LEFT_OUT ? column.isTaken : choice !== (column.field ?? "");
}

function samplesOf(sample: Sample | undefined, heading: string): string {
  const values = sample?.values.get(heading) ?? [];
  return values.length === 0 ? t.files.noSamples : values.join(" · ");
}
