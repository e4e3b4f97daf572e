/** Each column of the file beside some of its values, and the field that it is read into. */

import { Box, Card, Group, NativeSelect, SegmentedControl, Text, Title } from "@mantine/core";
import { useState } from "react";
import { fieldLabel, type RecordType } from "../records/record/index.ts";
import { t } from "../text/index.ts";
import {
  choiceOf,
  type Fate,
  type ImportOptions,
  LEFT_OUT,
  type Sample,
  targetsOf,
  withChoice,
} from "./import/index.ts";
import classes from "./import/files.module.css";

export interface HeadingListProps {
  readonly type: RecordType;
  readonly fates: readonly Fate[];
  readonly sample: Sample | undefined;
  readonly options: ImportOptions;
  readonly onOptions: (options: ImportOptions) => void;
}

const SHOWS = ["all", "taken", "left"] as const;

export function HeadingList({ type, fates, sample, options, onOptions }: HeadingListProps) {
  const [show, setShow] = useState<(typeof SHOWS)[number]>("all");
  const lists = {
    all: fates,
    taken: fates.filter(({ isTaken }) => isTaken),
    left: fates.filter(({ isTaken }) => !isTaken),
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
        {lists[show].map((fate) => (
          <li key={fate.heading} className={classes["heading"]}>
            <Box miw={0}>
              <Text
                size="sm"
                fw={600}
                lineClamp={3}
                title={fate.heading}
                className={classes["text"]}
              >
                {fate.heading}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {samplesOf(sample, fate.heading)}
              </Text>
            </Box>
            <NativeSelect
              size="xs"
              aria-label={t.files.fieldOf(fate.heading)}
              disabled={fate.isFixed}
              value={choiceOf(fate, options)}
              onChange={({ currentTarget }) =>
                onOptions(withChoice(options, fate.heading, currentTarget.value))
              }
              data={
                fate.field === undefined
                  ? [{ value: "", label: t.files.noField }, ...choices]
                  : choices
              }
            />
            <Text size="xs" c="dimmed" className={classes["text"]}>
              {isChanged(fate, options) ? t.files.changed : fate.told}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether somebody chose something that the last check did not know of. */
function isChanged(fate: Fate, options: ImportOptions): boolean {
  const choice = choiceOf(fate, options);
  return choice === LEFT_OUT ? fate.isTaken : choice !== (fate.field ?? "");
}

function samplesOf(sample: Sample | undefined, heading: string): string {
  const values = sample?.values.get(heading) ?? [];
  return values.length === 0 ? t.files.noSamples : values.join(" · ");
}
