/** The rows that could not be taken, each with its reason, and what the others were warned of. */

import { Card, Table, Text, Title } from "@mantine/core";
import { fieldLabel } from "../../records/record/index.ts";
import { t } from "../../text/index.ts";
import { number, orNone } from "../../ui/format/index.ts";
import classes from "./files.module.css";
import type { Import } from "./import.ts";

const scrolling = { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } as const;

export interface RefusedProps {
  readonly told: Import;
  /** How many at most; all that the service tells without it. */
  readonly max?: number;
}

export function Refused({
  told: { rejects = [], refused, dry_run },
  max = Infinity,
}: RefusedProps) {
  if (rejects.length === 0) return null;
  const shown = rejects.slice(0, max);
  const title = dry_run ? t.files.refusedCheckTitle : t.files.refusedTitle;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{title}</Title>
      {shown.length < refused && (
        <Text size="sm" c="dimmed" mt={2}>
          {t.files.refusedFirst(shown.length, refused)}
        </Text>
      )}
      <Table.ScrollContainer minWidth={480} {...scrolling}>
        <Table aria-label={title} layout="fixed" className={classes["text"]}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64} ta="right">
                {t.files.line}
              </Table.Th>
              <Table.Th w="35%">{t.files.reason}</Table.Th>
              <Table.Th>{t.files.raw}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ line, reason, raw }) => (
              <Table.Tr key={line}>
                <Table.Td ta="right">{number(line)}</Table.Td>
                <Table.Td>{reason}</Table.Td>
                <Table.Td>
                  <div className={classes["raw"]}>{shortened(raw)}</div>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

const RAW_MAX = 300;

const shortened = (raw: string): string =>
  raw.length > RAW_MAX ? `${raw.slice(0, RAW_MAX)}…` : raw;

export interface WarningsProps {
  readonly told: Import;
  /** Kinds that are told of elsewhere. */
  readonly without?: readonly string[];
}

export function Warnings({ told: { words }, without = [] }: WarningsProps) {
  const shown = words.filter(({ kind }) => !without.includes(kind));
  if (shown.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{t.files.warningsTitle}</Title>
      <Table.ScrollContainer minWidth={400} {...scrolling}>
        <Table aria-label={t.files.warningsTitle} layout="fixed" className={classes["text"]}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="30%">{t.files.warning}</Table.Th>
              <Table.Th w="22%">{t.files.warningField}</Table.Th>
              <Table.Th>{t.files.warningWord}</Table.Th>
              <Table.Th w={80} ta="right">
                {t.files.rows}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ kind, field, word, rows }) => (
              <Table.Tr key={`${kind} ${field} ${word}`}>
                <Table.Td>{t.files.warningKinds[kind] ?? kind}</Table.Td>
                <Table.Td>{field === null ? orNone(field) : fieldLabel(field)}</Table.Td>
                <Table.Td>{orNone(word)}</Table.Td>
                <Table.Td ta="right">{number(rows)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
