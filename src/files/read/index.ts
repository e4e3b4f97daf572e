/** CSV, NDJSON and encodings: converts bytes to rows and back. */

export { cellsIn, DELIMITERS } from "./csv-line.ts";
export { csvLine, csvText, isGuarded, mayBeFormula } from "./csv-text.ts";
export { encodingOf, ENCODINGS } from "./encodings.ts";
export { beginningOf, COLUMNS_MAX, isLongerThan, NAMES_MAX_bytes } from "./limits.ts";
export {
  FileError,
  type Format,
  FORMATS,
  isUnreadable,
  type OpenFile,
  type OpenOptions,
  openRows,
} from "./rows.ts";
export { type Cells, type Row, type UnreadableRow } from "./row.ts";
export { storable } from "./storable.ts";
export { CONTENT_TYPES, FILE_TYPES, writeRecords } from "./write-rows.ts";
