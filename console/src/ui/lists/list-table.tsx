/** A list in a table: its states, its rows, and more of them on demand. For lists of some hundred rows. */

import type { ReactNode } from "react";
import type { List } from "../../api/index.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { ListStates } from "./list-states.tsx";

export interface ListTableProps<T> extends Omit<DataTableProps<T>, "items"> {
  readonly list: List<T>;
  /** What stands there when the list is empty. */
  readonly empty: ReactNode;
}

export const ListTable = <T,>({ list, empty, ...table }: ListTableProps<T>) => (
  <ListStates list={list} empty={empty}>
    <DataTable items={list.items} {...table} />
  </ListStates>
);
