/** A chart with a title, a table view, and a link to the underlying list. */

import { Card, Group, SegmentedControl, Table, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { t } from "../../text/index.ts";
import { Failure, TextLink, Loading } from "../states/index.ts";

export interface ChartTable {
  readonly columns: readonly string[];
  /** The rows of the table view. The first cell of each row is its header. */
  readonly rows: readonly (readonly ReactNode[])[];
}

export interface ChartFigureProps<T> {
  readonly title: string;
  readonly query: UseQueryResult<T>;
  readonly isEmpty: (data: T) => boolean;
  /** Shown if there is no data. */
  readonly empty: string;
  readonly chart: (data: T) => ReactNode;
  readonly table: (data: T) => ChartTable;
  /** A one-sentence summary, such as a total. */
  readonly summary?: (data: T) => ReactNode;
  /** The URL of the underlying list. */
  readonly list?: string;
}

const HEIGHT = 260;

export function ChartFigure<T>(props: ChartFigureProps<T>) {
  const { title, query, isEmpty, empty, chart, table, summary, list } = props;
  const [shown, setShown] = useState<"chart" | "table">("chart");
  const { data } = query;
  return (
    <Card component="section" withBorder padding="lg" aria-label={title} h="100%">
      <Group justify="space-between" align="flex-start" mb="md" gap="xs" wrap="nowrap">
        <div>
          <Title order={2}>{title}</Title>
          {data !== undefined && summary !== undefined && (
            <Text size="sm" c="dimmed">
              {summary(data)}
            </Text>
          )}
        </div>
        <SegmentedControl
          size="xs"
          flex="none"
          aria-label={t.home.shownAs(title)}
          value={shown}
          onChange={setShown}
          data={[
            { value: "chart", label: t.home.asChart },
            { value: "table", label: t.home.asTable },
          ]}
        />
      </Group>
      <div style={{ minHeight: HEIGHT }}>
        {query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : data === undefined ? (
          <Loading rows={4} />
        ) : isEmpty(data) ? (
          <Text c="dimmed" ta="center" pt={HEIGHT / 3}>
            {empty}
          </Text>
        ) : shown === "chart" ? (
          <div role="img" aria-label={title}>
            {chart(data)}
          </div>
        ) : (
          <ChartAsTable title={title} {...table(data)} />
        )}
      </div>
      {list !== undefined && (
        <TextLink to={list} size="sm" mt="sm" aria-label={`${t.home.list}: ${title}`}>
          {t.home.list}
        </TextLink>
      )}
    </Card>
  );
}

const ChartAsTable = ({ title, columns, rows }: ChartTable & { readonly title: string }) => (
  <Table.ScrollContainer minWidth={280} maxHeight={HEIGHT}>
    <Table aria-label={title} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, at) => (
            <Table.Th key={column} ta={at === 0 ? "left" : "right"}>
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, at) => (
          <Table.Tr key={at}>
            {row.map((cell, column) => (
              <Table.Td key={columns[column]} ta={column === 0 ? "left" : "right"}>
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
