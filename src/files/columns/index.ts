/** The mapping of a file: which fields its columns are read into, and how. */

export { groupDecisions } from "./columns.ts";
export { otherCurrency } from "./currencies.ts";
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
export { plainWord } from "./value-maps.ts";
