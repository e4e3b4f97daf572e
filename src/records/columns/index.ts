/** The typed columns of a record type for filters and sorting, and how they store values. */

export {
  type Column,
  columnOf,
  groupColumns,
  momentColumns,
  mustColumn,
  referenceFields,
  sortColumns,
  STAMP_COLUMNS,
  stampColumn,
  storedColumns,
  sumColumns,
  uniqueFields,
} from "./columns.ts";
export { parts } from "./statement-parts.ts";
export { STORAGES } from "./storages.ts";
