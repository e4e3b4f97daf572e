/** Files in and out: CSV and NDJSON ↔ what the record types take and return (D10). */

export { fileOperations, fileSchemas, type FilesDeps } from "./routes.ts";
export { openExport } from "./export.ts";
export { IMPORT_SCHEMA, optionsIn, typeOfWord, type ImportOptions } from "./import-options.ts";
export {
  createImport,
  findBrokenOff,
  isHeld,
  LEASE_ms,
  readRejects,
  type ImportRow,
} from "./imports.ts";
export { Interrupted, readHead, runImport } from "./run-import.ts";
export { ENCODINGS, type Encoding } from "./decode.ts";
export type { HeadingReport } from "./headings.ts";
export { inBatches, openIntake, type Intake, type IntakeOptions } from "./intake.ts";
export { MappingError, mappingOptionsOf, type MappingOptions } from "./mapping-options.ts";
export type { MappingReport } from "./mapping.ts";
export { startProgress, type Progress } from "./progress.ts";
export { settleReferences, wantedLookups, type Resolution, type Resolve } from "./references.ts";
export { rejectsText, rejectsWriter, type RejectsWriter } from "./rejects.ts";
export {
  isRefused,
  sentenceOf,
  type RefusedRow,
  type RowInput,
  type WantedReference,
  type Warning,
} from "./row-input.ts";
export { FileError, type Format, type OpenOptions } from "./rows.ts";
export { Tally, type TallyReport } from "./tally.ts";
export { columnsOf, CONTENT_TYPES, writeRecords } from "./write.ts";
