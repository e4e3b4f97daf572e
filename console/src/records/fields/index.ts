/** What a list can show and filter by: columns, fields and conditions. */

export {
  choicesOf,
  columnLabel,
  columnsOf,
  defaultColumns,
  identityOf,
  NEWEST_FIRST,
  shownColumns,
  type TableColumn,
} from "./columns.ts";
export {
  emptyCondition,
  type FilterField,
  filterFieldsOf,
  filterKindOf,
  filterKinds,
} from "./filter-fields.ts";
export {
  type Condition,
  type ConditionRows,
  filterOf,
  isComplete,
  type Operator,
  OPERATORS,
  valuesOf,
} from "./filter.ts";
export { rowsOf, usesIds } from "./read-filter.ts";
