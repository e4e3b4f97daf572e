/** The lists in a record: its lines, and its email addresses and phone numbers. */

export {
  type Entry,
  type EntryKind,
  isMain,
  listIn,
  mainPhone,
  type Row,
  rowsOf,
  sentBefore,
  textIn,
  withMain,
} from "./entries.ts";
export {
  cellOf,
  type Line,
  type LineColumn,
  lineColumns,
  lineSum,
  type Members,
  sumOfLines,
  withCell,
} from "./lines.ts";
