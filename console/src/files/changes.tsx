/** The existing records that an import would change: how many, and some of them before and after. */

import { Card, Table, Text, Title } from "@mantine/core";
import { fieldLabel } from "../records/record-types.ts";
import { t } from "../text/index.ts";
import { number, orNone } from "../ui/format.ts";
import type { Import } from "./import.ts";

export function Changes({ told: { examples = [], updated } }: { readonly told: Import }) {
  if (examples.length === 0) return null;
  const title = t.files.changesTitle(number(updated));
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{title}</Title>
      {examples.length < updated && (
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
                  <Table.Td maw={320}>{shown(before[field])}</Table.Td>
                  <Table.Td maw={320}>{shown(after[field])}</Table.Td>
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

function shown(value: unknown) {
  if (value === null || value === undefined) return orNone(null);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text;
}
