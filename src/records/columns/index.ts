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
export { STORAGES } from "./storages.ts";
