/** Shows how the number and date columns of a file are interpreted, and why. */

import { Card, Table, Text, Title } from "@mantine/core";
import { t } from "../../text/index.ts";
import classes from "./files.module.css";
import type { Decision, Import } from "./import.ts";

export function Decisions({ job: { mapping } }: { readonly job: Import }) {
  const decisions = mapping?.decisions ?? [];
  if (decisions.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{t.files.decisions}</Title>
      <Table.ScrollContainer minWidth={520}>
        <Table aria-label={t.files.decisions} layout="fixed" className={classes["text"]}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.files.heading}</Table.Th>
              <Table.Th>{t.files.readAs}</Table.Th>
              <Table.Th>{t.files.decidedBy}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {decisions.map((decision) => (
              <Table.Tr key={`${decision.about} ${decision.separator ?? ""} ${decision.heading}`}>
                <Table.Td>{decision.heading}</Table.Td>
                <Table.Td>{howOf(decision)}</Table.Td>
                <Table.Td>
                  {t.files.deciders[decision.decided_by]}
                  {decision.examples.length > 0 && (
                    <Text size="sm" c="dimmed">
                      {decision.examples.join(" · ")}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function howOf({ about, separator, value }: Decision): string {
  if (about === "percent") return t.files.percentages;
  if (about === "decimal")
    return value === "," ? t.files.numbersWithComma : t.files.numbersWithPoint;
  if (separator === undefined) return t.files.dayNumbers;
  return value === "dmy" ? t.files.dayFirst(separator) : t.files.monthFirst(separator);
}
