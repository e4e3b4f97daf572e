/** The search parameters in a table's URL: filter, sort order and columns. */

import type { RecordType } from "../../record/index.ts";
import { readDay } from "../../ui/days/index.ts";

/** All members are strings, just as in the URL. */
export interface TableState {
  /** The text in the search box. */
  readonly q?: string | undefined;
  /** A `match_filter_dict`. */
  readonly filter?: string | undefined;
  /** The columns to sort by, with `-` for descending order: `-created_ts,name`. */
  readonly sort?: string | undefined;
  /** The names of the visible columns, in order, separated by commas. */
  readonly cols?: string | undefined;
  /** The first and last creation day to include, in the user's time zone: `2026-01-31`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface TableSearch extends TableState {
  /** The ID of a saved view, or `all`. Default: the default view. */
  readonly view?: string | undefined;
}

export const STATE_NAMES = ["q", "filter", "sort", "cols", "from", "to"] as const;

/** Reads the search parameters from a URL. Unknown parameters are ignored. */
export function readSearch(given: Readonly<Record<string, unknown>>): TableSearch {
  const read: Record<string, string | undefined> = {};
  for (const name of ["view", ...STATE_NAMES]) {
    const value = given[name];
    // Remove the parameter. Otherwise, the router would pass it through unchecked.
    read[name] = undefined;
    if (value === undefined || value === null || value === "") continue;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    if ((name === "from" || name === "to") && readDay(text) === undefined) continue;
    read[name] = text;
  }
  return read;
}

/** Returns only the table's state, without members that are not set. */
export function stateOf(search: TableSearch): TableState {
  const set = STATE_NAMES.flatMap((name) =>
    search[name] === undefined ? [] : [[name, search[name]] as const],
  );
  return Object.fromEntries(set);
}

export const isSameState = (a: TableState, b: TableState): boolean =>
  STATE_NAMES.every((name) => (a[name] ?? "") === (b[name] ?? ""));

/** Whether the list is filtered. */
export const isNarrowed = ({ q, filter, from, to }: TableState): boolean =>
  [q, filter, from, to].some((text) => text !== undefined);

export interface SortKey {
  readonly id: string;
  readonly desc: boolean;
}

/** Parses sort keys, such as `-created_ts,name`. */
export const sortKeys = (sort: string | undefined): readonly SortKey[] =>
  (sort ?? "")
    .split(",")
    .filter((key) => key !== "" && key !== "-")
    .map((key) =>
      key.startsWith("-") ? { id: key.slice(1), desc: true } : { id: key, desc: false },
    );

/** Formats sort keys as `-created_ts,name`; undefined if there are none. */
export const sortText = (keys: readonly SortKey[]): string | undefined =>
  keys.map(({ id, desc }) => (desc ? `-${id}` : id)).join(",") || undefined;

/** The props that the table and the other parts of its page have in common. */
export interface TableProps {
  readonly type: RecordType;
  readonly search: TableSearch;
  readonly onChange: (part: TableSearch) => void;
  readonly onReplace: (search: TableSearch) => void;
  readonly canWrite: boolean;
}
