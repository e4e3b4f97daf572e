/** A list in a table: its states, its rows, and more of them on demand. For lists of some hundred rows. */

import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { List } from "../api/pages.ts";
import { ListStates } from "./list-states.tsx";

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
  return (
    <ListStates list={list} empty={empty}>
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
            {list.items.map((item) => (
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
    </ListStates>
  );
}
