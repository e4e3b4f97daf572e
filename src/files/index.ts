/** Files in and out: CSV and NDJSON ↔ what the record types take and return (D10). */

export { ENCODINGS, type Encoding } from "./decode.ts";
export type { HeadingReport } from "./headings.ts";
export { inBatches, openIntake, type Intake, type IntakeOptions } from "./intake.ts";
export { MappingError, mappingOptionsOf, type MappingOptions } from "./mapping-options.ts";
export type { MappingReport } from "./mapping.ts";
export { startProgress, type Progress } from "./progress.ts";
export { settleReferences, wantedLookups, type Resolution, type Resolve } from "./references.ts";
export { rejectsWriter, type RejectsWriter } from "./rejects.ts";
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
