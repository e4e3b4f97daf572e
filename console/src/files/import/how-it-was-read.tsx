/** What became of each column of an imported file. */

import { Card, Table, Title } from "@mantine/core";
import { fieldLabel } from "../../records/record/index.ts";
import { t } from "../../text/index.ts";
import { orNone } from "../../ui/format/index.ts";
import { fatesOf } from "./fates.ts";
import classes from "./files.module.css";
import type { Import } from "./import.ts";

export function HowItWasRead({ told: { mapping, file } }: { readonly told: Import }) {
  if (mapping === null) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2}>{t.files.details}</Title>
      <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={t.files.details} layout="fixed" className={classes["text"]}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.files.heading}</Table.Th>
              <Table.Th w="25%">{t.files.wordField}</Table.Th>
              <Table.Th>{t.files.becomes}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fatesOf(mapping, file?.headings, undefined).map(({ heading, field, told }) => (
              <Table.Tr key={heading}>
                <Table.Td>{heading}</Table.Td>
                <Table.Td>{field === undefined ? orNone(field) : fieldLabel(field)}</Table.Td>
                <Table.Td>{told}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
