/** The headers and body of a request or response. */

import { Group, SegmentedControl, Stack, Table, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../text/index.ts";
import { bytes } from "../ui/format/index.ts";
import { Excerpt } from "../ui/lists/index.ts";
import classes from "./delivery.module.css";
import { indentJson } from "./indent-json.ts";

const text = t.deliveries;

interface PartTitleProps {
  readonly title: string;
  /** Shown next to the title. */
  readonly children?: ReactNode;
}

/** The heading of a request or response, one level below the attempt's heading. */
export const PartTitle = ({ title, children }: PartTitleProps) => (
  <Group justify="space-between" gap="xs" mih={30}>
    <Title order={4} size="h5">
      {title}
    </Title>
    {children}
  </Group>
);

interface HeadersProps {
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const Headers = ({ label, headers }: HeadersProps) => (
  <div className={classes["headers"]} role="region" aria-label={label} tabIndex={0}>
    <Table fz="xs" verticalSpacing={4} horizontalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="38%">{text.header}</Table.Th>
          <Table.Th>{text.value}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(headers).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td ff="monospace">{name}</Table.Td>
            <Table.Td ff="monospace">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);

export interface BodyProps {
  readonly content: string;
  /** The label of the unformatted view: "As sent". */
  readonly raw: string;
  /** The stored size and the full size, if the stored body is truncated. */
  readonly cut: { readonly stored_bytes: number; readonly whole: string } | undefined;
}

/** A body, as stored or as indented JSON. It scrolls within its box. */
export function Body({ content, raw, cut }: BodyProps) {
  const [isRaw, setRaw] = useState(false);
  const formatted = indentJson(content);
  if (content === "") {
    return (
      <Text size="sm" c="dimmed">
        {text.emptyBody}
      </Text>
    );
  }
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {text.body}
        </Text>
        {formatted !== undefined && formatted !== content && (
          <SegmentedControl
            size="xs"
            aria-label={text.layout}
            value={isRaw ? "raw" : "formatted"}
            onChange={(value) => setRaw(value === "raw")}
            data={[
              { value: "formatted", label: text.formatted },
              { value: "raw", label: raw },
            ]}
          />
        )}
      </Group>
      <Excerpt content={isRaw ? content : (formatted ?? content)} />
      {cut !== undefined && (
        <Text size="xs" c="dimmed">
          {text.cut(bytes(cut.stored_bytes, 1024), cut.whole)}
        </Text>
      )}
      {content.includes("\uFFFD") && (
        <Text size="xs" c="dimmed">
          {text.notText}
        </Text>
      )}
    </Stack>
  );
}
