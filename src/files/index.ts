/** Imports and exports of records as CSV and NDJSON files. */

export {
  createImport,
  fileOperations,
  fileSchemas,
  findInterrupted,
  IMPORT_SCHEMA,
  type ImportOptions,
  type ImportRequest,
  type ImportRow,
  importView,
  inBatches,
  type Intake,
  type IntakeOptions,
  Interrupted,
  isLeased,
  LEASE_ms,
  noSuchType,
  openIntake,
  optionsIn,
  readHead,
  readRejects,
  rejectsText,
  rejectsWriter,
  runImport,
  startProgress,
  Tally,
  typeOfWord,
} from "./imports/index.ts";
export { openExport, Spool } from "./exports/index.ts";
export {
  type Ask,
  type Decision,
  MappingError,
  mappingOptionsOf,
  type SecondReading,
} from "./columns/index.ts";
export { isRefused, type RefusedRow, type WarningKind } from "./rows/index.ts";
export { FileError, type Format, writeRecords } from "./read/index.ts";
