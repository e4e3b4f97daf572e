/** The first rows as they will be submitted, or why they cannot be submitted. */

import { Card, Checkbox, Group, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { portalFileTexts, portalTexts } from "../../text/portal.ts";
import { number, orNone, words } from "../../ui/format/index.ts";
import { problemsText, warningsText } from "./problem-text.ts";
import { canSubmit, type FileRow, hasWarning, isDoubtful } from "./rows.ts";
import classes from "./file.module.css";

const SHOWN = 8;
const texts = portalFileTexts;
const { fields } = portalTexts;

export function Preview({ rows }: { readonly rows: readonly FileRow[] }) {
  const [onlyProblems, setOnlyProblems] = useState(false);
  const refused = rows.filter((row) => !canSubmit(row));
  const doubtful = rows.filter(isDoubtful);
  const repeated = rows.filter(({ sameAs }) => sameAs !== undefined);
  const faulty = rows.filter((row) => !canSubmit(row) || hasWarning(row));
  const shown = (onlyProblems && faulty.length > 0 ? faulty : rows).slice(0, SHOWN);
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2}>{texts.preview}</Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {texts.previewHint(number(rows.length - refused.length), number(refused.length))}
          </Text>
          {doubtful.length > 0 && (
            <Text size="sm" className={classes["doubtful"] ?? ""}>
              {texts.doubtful(doubtful.length)}
            </Text>
          )}
          {repeated.length > 0 && (
            <Text size="sm" className={classes["doubtful"] ?? ""}>
              {texts.repeated(repeated.length)}
            </Text>
          )}
        </div>
        {faulty.length > 0 && (
          <Checkbox
            label={texts.onlyProblems}
            checked={onlyProblems}
            onChange={({ currentTarget }) => setOnlyProblems(currentTarget.checked)}
          />
        )}
      </Group>
      <Table.ScrollContainer minWidth={640}>
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
            {shown.map((row) => (
              <Table.Tr key={row.row}>
                <Table.Td>{number(row.row)}</Table.Td>
                <Table.Td>{orNone(row.body.name)}</Table.Td>
                <Table.Td>{orNone(row.body.email)}</Table.Td>
                <Table.Td>{orNone(row.body.phone)}</Table.Td>
                <Table.Td>{orNone(row.body.source && words(row.body.source))}</Table.Td>
                <Fitness of={row} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

/** Shows whether a row can be submitted. */
function Fitness({ of: row }: { readonly of: FileRow }) {
  if (!canSubmit(row)) {
    return <Table.Td c="var(--mantine-color-error)">{problemsText(row)}</Table.Td>;
  }
  if (hasWarning(row)) {
    return <Table.Td className={classes["doubtful"]}>{warningsText(row)}</Table.Td>;
  }
  return <Table.Td c="dimmed">{texts.ready}</Table.Td>;
}
