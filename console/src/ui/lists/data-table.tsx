/** A table for up to a few hundred rows. In a narrow container, each row is shown as a card. */

import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<T> {
  readonly label: string;
  /** A control that applies to all rows, shown instead of the column header. */
  readonly head?: ReactNode;
  /** The label of `head` when rows are shown as cards. Cards show no label for the controls in the rows. */
  readonly headLabel?: string;
  readonly cell: (item: T) => ReactNode;
  /** Set this for numbers and amounts, which are right-aligned and stay on one line. */
  readonly isNumber?: true;
  /** Set this for long texts, which may take most of the table's width. */
  readonly isLong?: true;
}

/** The minimum average column width. If there is less space, the table scrolls. */
const COLUMN_rem = 6.5;

export interface DataTableProps<T> {
  /** The table's accessible name. */
  readonly label: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
}

// The roles are explicit, because some browsers ignore the implicit roles of elements that CSS lays
// out as cards.
export function DataTable<T>({ label, items, columns, keyOf }: DataTableProps<T>) {
  const title = columns.find(({ head }) => head === undefined);
  const attributesOf = (column: Column<T>) => ({
    "data-part": column === title ? "title" : column.head === undefined ? undefined : "control",
    "data-number": column.isNumber,
    "data-long": column.isLong,
  });
  return (
    <div className={classes["place"]}>
      <Table.ScrollContainer minWidth={0}>
        <Table
          highlightOnHover
          role="table"
          aria-label={label}
          className={classes["table"]}
          style={{ "--least-width": `${columns.length * COLUMN_rem}rem` }}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map((column) => (
                <Table.Th
                  key={column.label}
                  role="columnheader"
                  data-label={column.headLabel}
                  {...attributesOf(column)}
                >
                  {column.head ?? column.label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {items.map((item) => (
              <Table.Tr key={keyOf(item)} role="row">
                {columns.map((column) => (
                  <Table.Td
                    key={column.label}
                    role="cell"
                    data-label={column.label}
                    {...attributesOf(column)}
                  >
                    <div className={classes["value"]}>{column.cell(item)}</div>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
