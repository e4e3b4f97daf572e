/** The meaning of a file's columns: their fields, number and date formats, and values. */

export { groupDecisions } from "./columns.ts";
export { contactColumn, socialPlatform } from "./contact-headings.ts";
export { otherCurrency } from "./currencies.ts";
export { DELETED } from "./heading-names.ts";
export { isRejectHeading, REJECT_HEADINGS } from "./headings.ts";
export {
  FLAG,
  MAPPING_OPTIONS,
  MappingError,
  type MappingOptions,
  mappingOptionsOf,
  modeOf,
  namesKey,
  oneOf,
  type Options,
  TEXT,
} from "./mapping-options.ts";
export {
  type ColumnTargets,
  compileMapping,
  decidedMapping,
  type FileSample,
  type Mapping,
  type MappingReport,
  matchColumns,
} from "./mapping.ts";
export { Rereadable, type SecondReading } from "./rereading.ts";
export { spreadsheetNotices } from "./spreadsheet-export.ts";
export { renderTemplate, type Template } from "./template.ts";
export {
  type Ask,
  decideColumns,
  type DecideOptions,
  type OpenSample,
  openSample,
  readableOf,
  type Rows,
} from "./whole-columns.ts";
export { readDay, readMoment, readSerial } from "./dates.ts";
export type { ColumnStyle, Decision } from "./column-decisions.ts";
export { plainName, subjectTypes, wholeName } from "./heading-meanings.ts";
export { plainWord } from "./value-maps.ts";
export { isNothing, readFlag, readNumber } from "./numbers.ts";
