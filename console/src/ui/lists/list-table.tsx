/** A list as a table, with its states and a button to load more. For up to a few hundred rows. */

import type { ReactNode } from "react";
import type { List } from "../../api/index.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { ListStates } from "./list-states.tsx";

export interface ListTableProps<T> extends Omit<DataTableProps<T>, "items"> {
  readonly list: List<T>;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
}

export const ListTable = <T,>({ list, empty, ...table }: ListTableProps<T>) => (
  <ListStates list={list} empty={empty}>
    <DataTable items={list.items} {...table} />
  </ListStates>
);
