/** Files in and out: CSV and NDJSON ↔ what the record types take and return (D10). */

export { fileOperations, fileSchemas } from "./routes.ts";
export { openExport } from "./export.ts";
export { Spool } from "./temporary-files.ts";
export {
  IMPORT_SCHEMA,
  noSuchType,
  optionsIn,
  typeOfWord,
  type ImportOptions,
} from "./import-options.ts";
export { createImport, findBrokenOff, isHeld, LEASE_ms, type ImportRow } from "./imports.ts";
export { Interrupted } from "./interrupted.ts";
export { readHead, runImport } from "./run-import.ts";
export { inBatches, openIntake, type Intake, type IntakeOptions } from "./intake.ts";
export { MappingError, mappingOptionsOf } from "./mapping-options.ts";
export { startProgress } from "./progress.ts";
export { rejectsText, rejectsWriter } from "./rejects.ts";
export type { Decision } from "./column-decisions.ts";
export type { SecondReading } from "./rereading.ts";
export type { Ask } from "./whole-columns.ts";
export { readRejects } from "./stored-rejects.ts";
export { isRefused, type RefusedRow } from "./row-input.ts";
export { FileError, type Format } from "./rows.ts";
export { Tally } from "./tally.ts";
export { writeRecords } from "./write.ts";
