/** What the address of a table says: what is found, in which order, with which columns. */

import type { RecordType } from "../record/index.ts";
import { readDay } from "../../ui/format/index.ts";

/** All members are texts as they stand in the address. */
export interface TableState {
  /** What the search box holds. */
  readonly q?: string | undefined;
  /** A `match_filter_dict`. */
  readonly filter?: string | undefined;
  /** Names of columns, `-` before those that descend: `-created_ts,name`. */
  readonly sort?: string | undefined;
  /** Names of the columns that are shown, in their order. */
  readonly cols?: string | undefined;
  /** First and last day of creation in the person's zone: `2026-01-31`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface TableSearch extends TableState {
  /** A saved view, or `all`; without it the view that opens first. */
  readonly view?: string | undefined;
}

export const STATE_NAMES = ["q", "filter", "sort", "cols", "from", "to"] as const;

/** Reads the search part of an address. What it does not know is left out. */
export function readSearch(given: Readonly<Record<string, unknown>>): TableSearch {
  const read: Record<string, string | undefined> = {};
  for (const name of ["view", ...STATE_NAMES]) {
    const value = given[name];
    // A member that is not named here would come through as it stands in the address.
    read[name] = undefined;
    if (value === undefined || value === null || value === "") continue;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    if ((name === "from" || name === "to") && readDay(text) === undefined) continue;
    read[name] = text;
  }
  return read;
}

/** The state alone, without what is not set. */
export function stateOf(search: TableSearch): TableState {
  const set = STATE_NAMES.flatMap((name) =>
    search[name] === undefined ? [] : [[name, search[name]] as const],
  );
  return Object.fromEntries(set);
}

export const isSameState = (a: TableState, b: TableState): boolean =>
  STATE_NAMES.every((name) => (a[name] ?? "") === (b[name] ?? ""));

/** Whether something narrows what is found. */
export const isNarrowed = ({ q, filter, from, to }: TableState): boolean =>
  [q, filter, from, to].some((text) => text !== undefined);

export interface SortKey {
  readonly id: string;
  readonly desc: boolean;
}

/** `-created_ts,name` as keys. */
export const sortKeys = (sort: string | undefined): readonly SortKey[] =>
  (sort ?? "")
    .split(",")
    .filter((key) => key !== "" && key !== "-")
    .map((key) =>
      key.startsWith("-") ? { id: key.slice(1), desc: true } : { id: key, desc: false },
    );

/** Keys as `-created_ts,name`; undefined where there are none. */
export const sortText = (keys: readonly SortKey[]): string | undefined =>
  keys.map(({ id, desc }) => (desc ? `-${id}` : id)).join(",") || undefined;

/** What a table and the parts of its page get. */
export interface TableProps {
  readonly type: RecordType;
  readonly search: TableSearch;
  readonly onChange: (part: TableSearch) => void;
  readonly onReplace: (search: TableSearch) => void;
  readonly canWrite: boolean;
}
