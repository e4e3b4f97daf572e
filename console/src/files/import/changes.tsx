/** The number of existing records that an import would change, with before-and-after examples. */

import { Card, Table, Text, Title } from "@mantine/core";
import { fieldLabel, type RecordType, type Stored } from "../../record/index.ts";
import { kindFor } from "../../kinds/index.ts";
import { t } from "../../text/index.ts";
import { dateTime, number } from "../../ui/format/index.ts";
import classes from "./files.module.css";
import type { Import } from "./import.ts";
import { Value } from "../../records/values/index.ts";

export interface ChangesProps {
  readonly type: RecordType;
  readonly job: Import;
}

export function Changes({ type, job }: ChangesProps) {
  const { examples = [], updated } = job;
  if (examples.length === 0) return null;
  const records = job.changed_records ?? updated;
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
      <Table.ScrollContainer minWidth={280}>
        <Table aria-label={title} layout="fixed" className={classes["text"]}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="34%">{t.files.wordField}</Table.Th>
              <Table.Th>{t.files.before}</Table.Th>
              <Table.Th>{t.files.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {examples.map(({ line, id, name, before, after }) => (
            <Table.Tbody key={line}>
              <Table.Tr>
                <Table.Th colSpan={3} scope="rowgroup">
                  {name ?? id}{" "}
                  <Text span size="sm" c="dimmed">
                    {t.files.atLine(number(line))}
                  </Text>
                </Table.Th>
              </Table.Tr>
              {Object.keys(after).map((field) => (
                <Table.Tr key={field}>
                  <Table.Td>{fieldLabel(field)}</Table.Td>
                  <Table.Td>
                    <Side type={type} record={before} name={field} />
                  </Table.Td>
                  <Table.Td>
                    <Side type={type} record={after} name={field} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          ))}
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

interface SideProps {
  readonly type: RecordType;
  readonly record: Readonly<Record<string, unknown>>;
  readonly name: string;
}

/** The value of a field before or after the change. */
function Side({ type, record, name }: SideProps) {
  const value = record[name];
  const kind = kindFor(type, name);
  // The exact time makes it clear how the date was interpreted.
  if (kind.filtering.kind === "day" && typeof value === "number") return dateTime(value);
  // The service returns lists as truncated text.
  if (typeof value === "string" && kind.empty !== undefined) return value;
  return <Value type={type} record={record as Stored} name={name} />;
}
