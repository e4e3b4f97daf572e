/** The state of a list: search parameters, shown columns, rows and selection. */

export { dueOf } from "./due.ts";
export { useReferenceNames } from "./reference-names.ts";
export {
  curlOf,
  EXPORT_FORMS,
  exportAddress,
  type ExportForm,
  type ListQuery,
  orderOf,
  queryOf,
  selectionOf,
} from "./list-query.ts";
export {
  isNarrowed,
  isSameState,
  readSearch,
  sortText,
  stateOf,
  type TableProps,
  type TableSearch,
  type TableState,
} from "./search.ts";
export { type Columns, type ColumnTable, leastWidth, tracksOf, useColumns } from "./use-columns.ts";
export { type Range, replaceRow, type Rows, useRows, useTotal } from "./use-rows.ts";
export { readAll, SELECTED_MAX, type Selection, useSelection } from "./use-selection.ts";
