/**
 * Assigns a field to each column. The first assignment is a guess, which the partner can correct.
 */

import { Alert, Card, Select, Table, Text, Title } from "@mantine/core";
import { portalFileTexts } from "../../text/portal.ts";
import { orNone } from "../../ui/format/index.ts";
import { faultOf, MEANINGS, type Meaning } from "./columns.ts";
import type { CsvTable } from "./csv.ts";

const texts = portalFileTexts;
const CHOICES = MEANINGS.map((value) => ({ value, label: texts.meanings[value] }));

export interface ColumnChoiceProps {
  readonly table: CsvTable;
  readonly meanings: readonly Meaning[];
  readonly onChange: (meanings: readonly Meaning[]) => void;
}

export function ColumnChoice({ table, meanings, onChange }: ColumnChoiceProps) {
  const fault = faultOf(meanings);
  return (
    <Card withBorder padding="lg">
      <Title order={2}>{texts.columns}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.columnsHint}
      </Text>
      <Table.ScrollContainer minWidth={280}>
        <Table aria-label={texts.columns}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.column}</Table.Th>
              <Table.Th w="45%">{texts.meaning}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {meanings.map((meaning, at) => {
              const column = table.headings[at] || texts.unnamed(at + 1);
              return (
                <Table.Tr key={`${at} ${column}`}>
                  <Table.Td>
                    <Text size="sm" fw={500}>
                      {column}
                    </Text>
                    <Text size="xs" c="dimmed" lineClamp={1}>
                      {orNone(table.rows.find(({ values }) => values[at])?.values[at])}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Select
                      aria-label={texts.meaningOf(column)}
                      data={CHOICES}
                      value={meaning}
                      allowDeselect={false}
                      size="xs"
                      onChange={(value) => onChange(meanings.with(at, value as Meaning))}
                    />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {fault !== undefined && (
        <Alert color="red" variant="outline" role="alert" mt="sm">
          {fault.kind === "twice"
            ? texts.twice(texts.meanings[fault.meaning])
            : fault.kind === "no_name"
              ? texts.noName
              : texts.noReach}
        </Alert>
      )}
    </Card>
  );
}
