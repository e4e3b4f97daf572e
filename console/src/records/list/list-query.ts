/**
 * The parameters of list requests, for the table and for the equivalent exports and curl commands.
 */

import { canSearch, listPath, type RecordType, searchFilter } from "../../record/index.ts";
import { columnsOf, NEWEST_FIRST, filterKinds, usesIds } from "../fields/index.ts";
import { sortKeys, type SortKey, type TableState } from "./search.ts";
import { spanOf } from "../../ui/days/index.ts";

/** The maximum number of keys in `sort_dict`. */
export const SORT_KEYS_MAX = 4;

export interface ListQuery {
  readonly match_filter_dict?: string;
  readonly eval_object_id?: true;
  readonly sort_dict?: string;
  readonly start_date?: string;
  readonly end_date?: string;
}

/**
 * Returns a table's filter combined with its search. The filter is inserted as written, because it
 * may contain `ObjectId(…)`, which is not JSON.
 */
function filterText(type: RecordType, { q, filter }: TableState): string | undefined {
  const isSearched = q !== undefined && q.trim() !== "" && canSearch(type);
  const search = isSearched ? JSON.stringify(searchFilter(type, q)) : undefined;
  if (search === undefined || filter === undefined) return search ?? filter;
  return `{"$and":[${filter},${search}]}`;
}

/** Returns the sort keys that the list supports. Default: newest first. */
export function orderOf(type: RecordType, sort: string | undefined): readonly SortKey[] {
  const columns = columnsOf(type);
  const keys = sortKeys(sort).filter(({ id }) => columns.get(id)?.canSort === true);
  return keys.length > 0 ? keys.slice(0, SORT_KEYS_MAX) : [NEWEST_FIRST];
}

const isNewestFirst = ([first, ...others]: readonly SortKey[]): boolean =>
  others.length === 0 && first?.id === NEWEST_FIRST.id && first.desc;

/** Returns the parameters that select a table's records, for lists and exports. */
export function selectionOf(type: RecordType, state: TableState): Omit<ListQuery, "sort_dict"> {
  const filter = filterText(type, state);
  return {
    ...(filter !== undefined && { match_filter_dict: filter }),
    ...(filter !== undefined && usesIds(filter, filterKinds(type)) && { eval_object_id: true }),
    ...spanOf(state),
  };
}

export function queryOf(type: RecordType, state: TableState): ListQuery {
  const order = orderOf(type, state.sort);
  const sort = Object.fromEntries(order.map(({ id, desc }) => [id, desc ? -1 : 1]));
  return {
    ...selectionOf(type, state),
    ...(!isNewestFirst(order) && { sort_dict: JSON.stringify(sort) }),
  };
}

/** Export formats: `spreadsheet` is CSV that spreadsheet programs open correctly. */
export const EXPORT_FORMS = {
  spreadsheet: { format: "csv", for: "spreadsheet" },
  csv: { format: "csv" },
  ndjson: { format: "ndjson" },
} as const;
export type ExportForm = keyof typeof EXPORT_FORMS;

/** Returns the URL for downloading all records of a table. */
export function exportAddress(type: RecordType, state: TableState, form: ExportForm): string {
  const query = Object.entries({ ...EXPORT_FORMS[form], ...selectionOf(type, state) });
  const texts = query.map(([name, value]): [string, string] => [name, String(value)]);
  return `${listPath(type)}/export?${new URLSearchParams(texts).toString()}`;
}

/**
 * Formats the current list request as a curl command. The token is taken from an environment
 * variable.
 */
export function curlOf(type: RecordType, state: TableState, origin: string): string {
  const query = Object.entries(queryOf(type, state));
  const lines = [
    `curl -sG ${quoted(origin + listPath(type))}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`),
  ];
  return lines.join(" \\\n  ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
