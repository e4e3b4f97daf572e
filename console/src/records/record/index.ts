/** Record types, fields, entries and values, as the pages use them. */

export {
  cellOf,
  type Line,
  type LineColumn,
  lineColumns,
  lineSum,
  sumOfLines,
  withCell,
} from "./lines.ts";
export { applicable, asksForReason, isApplicable } from "./conditions.ts";
export { hasTime, momentText } from "./moments.ts";
export { canSearch, hasPeople, searchFilter } from "./search-filter.ts";
export {
  type Entry,
  type EntryKind,
  isMain,
  listIn,
  listsOf,
  mainPhone,
  type Row,
  rowsOf,
  sentBefore,
  textIn,
  withMain,
} from "./entries.ts";
export {
  type Draft,
  type Field,
  fieldLabel,
  filterFields,
  type Icon,
  isConverted,
  kindOf,
  listPath,
  pageOf,
  readPath,
  RECORD_TYPES,
  type RecordName,
  type RecordType,
  recordTypes,
  type Reference,
  referenceAt,
  referenceOf,
  type Stored,
  SUBJECT_TYPES,
  subjectWord,
  typeByPlural,
  typeLabel,
  type ValueKind,
  writePath,
} from "./record-types.ts";
