/** Some hundred rows in a table that scrolls sideways on narrow screens. */

import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<T> {
  readonly label: string;
  /** What the header shows where that is not the label. */
  readonly head?: ReactNode;
  readonly cell: (item: T) => ReactNode;
  /** Numbers and money stand at the right. */
  readonly isNumber?: true;
}

export interface DataTableProps<T> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
}

export const DataTable = <T,>({ label, items, columns, keyOf }: DataTableProps<T>) => (
  <Table.ScrollContainer
    minWidth={columns.length * 110}
    scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
  >
    <Table highlightOnHover aria-label={label} className={classes["table"]}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.label} ta={column.isNumber ? "right" : "left"}>
              {column.head ?? column.label}
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
);
