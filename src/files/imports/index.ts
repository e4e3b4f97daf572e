/** Imports: their options, preview, execution, rejects and operations. */

export {
  IMPORT_SCHEMA,
  type ImportOptions,
  type ImportRequest,
  noSuchType,
  optionsIn,
  typeNamed,
} from "./import-options.ts";
export { createImport, findInterrupted, type ImportRow, isLeased, LEASE_ms } from "./imports.ts";
export { inBatches, type Intake, type IntakeOptions, openIntake } from "./intake.ts";
export { importView } from "./import-view.ts";
export { Interrupted } from "./interrupted.ts";
export { startProgress } from "./progress.ts";
export { rejectsText, rejectsWriter } from "./rejects.ts";
export { fileOperations, type FilesDeps, fileSchemas } from "./routes.ts";
export { readHead, runImport } from "./run-import.ts";
export { readRejects } from "./stored-rejects.ts";
export { Tally } from "./tally.ts";
