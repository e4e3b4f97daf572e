/** The existing records that an import would change: how many, and some of them before and after. */

import { Card, Table, Text, Title } from "@mantine/core";
import { fieldLabel, type RecordType, type Stored } from "../records/record-types.ts";
import { Value } from "../records/value.tsx";
import { t } from "../text/index.ts";
import { number } from "../ui/format.ts";
import type { Import } from "./import.ts";

export interface ChangesProps {
  readonly type: RecordType;
  readonly told: Import;
}

export function Changes({ type, told }: ChangesProps) {
  const { examples = [], updated } = told;
  if (examples.length === 0) return null;
  const records = told.changed_records ?? updated;
  const title =
    records === updated
      ? t.files.changesTitle(updated, number(updated))
      : t.files.changesOfTitle(number(updated), records, number(records));
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{title}</Title>
      {examples.length < records && (
        <Text size="sm" c="dimmed" mt={2}>
          {t.files.changesFirst(examples.length)}
        </Text>
      )}
      <Table.ScrollContainer minWidth={620} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">{t.files.line}</Table.Th>
              <Table.Th>{t.files.record}</Table.Th>
              <Table.Th>{t.files.wordField}</Table.Th>
              <Table.Th>{t.files.before}</Table.Th>
              <Table.Th>{t.files.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {examples.flatMap(({ line, id, name, before, after }) =>
              Object.keys(after).map((field, at) => (
                <Table.Tr key={`${line} ${field}`}>
                  <Table.Td ta="right">{at === 0 && number(line)}</Table.Td>
                  <Table.Td>{at === 0 && (name ?? id)}</Table.Td>
                  <Table.Td>{fieldLabel(field)}</Table.Td>
                  <Table.Td maw={320}>
                    <Side type={type} record={before} name={field} />
                  </Table.Td>
                  <Table.Td maw={320}>
                    <Side type={type} record={after} name={field} />
                  </Table.Td>
                </Table.Tr>
              )),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

const CHARACTERS = 200;

interface SideProps {
  readonly type: RecordType;
  readonly record: Readonly<Record<string, unknown>>;
  readonly name: string;
}

/** A value before or after. The service shortens long ones, lists too, to the beginning of their text. */
function Side({ type, record, name }: SideProps) {
  const value = record[name];
  if (typeof value === "string" && value.length > CHARACTERS) {
    return `${value.slice(0, CHARACTERS)}…`;
  }
  return <Value type={type} record={record as Stored} name={name} />;
}
