/** The first rows as they will be pushed, or why they cannot be. */

import { Card, Checkbox, Group, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { portalFileTexts, portalTexts } from "../../text/portal.ts";
import { number, orNone } from "../../ui/format/index.ts";
import { problemText } from "./problem-text.ts";
import type { FileRow } from "./rows.ts";

const SHOWN = 8;
const texts = portalFileTexts;
const { fields } = portalTexts;

export function Preview({ rows }: { readonly rows: readonly FileRow[] }) {
  const [onlyProblems, setOnlyProblems] = useState(false);
  const refused = rows.filter(({ problem }) => problem !== undefined);
  const shown = (onlyProblems && refused.length > 0 ? refused : rows).slice(0, SHOWN);
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2}>{texts.preview}</Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {texts.previewHint(number(rows.length - refused.length), number(refused.length))}
          </Text>
        </div>
        {refused.length > 0 && (
          <Checkbox
            label={texts.onlyProblems}
            checked={onlyProblems}
            onChange={({ currentTarget }) => setOnlyProblems(currentTarget.checked)}
          />
        )}
      </Group>
      <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={texts.preview}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.row}</Table.Th>
              <Table.Th>{fields.name}</Table.Th>
              <Table.Th>{fields.email}</Table.Th>
              <Table.Th>{fields.phone}</Table.Th>
              <Table.Th>{fields.source}</Table.Th>
              <Table.Th>{texts.problem}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ row, body, problem }) => (
              <Table.Tr key={row}>
                <Table.Td>{number(row)}</Table.Td>
                <Table.Td>{orNone(body.name)}</Table.Td>
                <Table.Td>{orNone(body.email)}</Table.Td>
                <Table.Td>{orNone(body.phone)}</Table.Td>
                <Table.Td>{orNone(body.source)}</Table.Td>
                <Table.Td c={problem === undefined ? "dimmed" : "var(--mantine-color-error)"}>
                  {problem === undefined ? texts.ready : problemText(problem)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
