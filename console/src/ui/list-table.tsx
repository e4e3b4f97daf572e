/** A list in a table: its states, its rows, and more of them on demand. For lists of some hundred rows. */

import { Button, Center, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { List } from "../api/pages.ts";
import { t } from "../text/index.ts";
import { Failure } from "./failure.tsx";
import { Waiting } from "./waiting.tsx";

export interface Column<T> {
  readonly label: string;
  readonly cell: (item: T) => ReactNode;
  /** Numbers and money stand at the right. */
  readonly isNumber?: true;
}

export interface ListTableProps<T> {
  /** What the table lists, for those who hear it. */
  readonly label: string;
  readonly list: List<T>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  /** What stands there when the list is empty. */
  readonly empty: ReactNode;
}

export function ListTable<T>({ label, list, columns, keyOf, empty }: ListTableProps<T>) {
  const { items, query } = list;
  if (query.isPending) return <Waiting />;
  if (query.isError && items.length === 0) {
    return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (items.length === 0) return empty;
  return (
    <>
      <Table.ScrollContainer
        minWidth={columns.length * 110}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.label} ta={column.isNumber ? "right" : "left"}>
                  {column.label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={keyOf(item)}>
                {columns.map((column) => (
                  <Table.Td key={column.label} ta={column.isNumber ? "right" : "left"}>
                    {column.cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {query.isError && <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />}
      {query.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t.common.showMore}
          </Button>
        </Center>
      )}
    </>
  );
}
