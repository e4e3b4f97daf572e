/** The state of a list: search parameters, columns, conditions, rows and selection. */

export {
  choicesOf,
  columnLabel,
  columnsOf,
  defaultColumns,
  identityOf,
  type TableColumn,
} from "./columns.ts";
export { dueOf } from "./due.ts";
export { useReferenceNames } from "./reference-names.ts";
export {
  emptyCondition,
  type FilterField,
  filterFieldsOf,
  filterKindOf,
  filterKinds,
} from "./filter-fields.ts";
export {
  type Condition,
  filterOf,
  isComplete,
  type Operator,
  OPERATORS,
  type ConditionRows,
  valuesOf,
} from "./filter.ts";
export { rowsOf } from "./read-filter.ts";
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
