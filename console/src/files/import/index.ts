/** Components of the import pages: state, findings, decisions and uploads. */

export { Changes } from "./changes.tsx";
export { Counts } from "./counts.tsx";
export { Decisions } from "./decisions.tsx";
export { ENCODINGS, linesIn } from "./encodings.ts";
export {
  choiceOf,
  type ColumnOutcome,
  columnsOf,
  LEFT_OUT,
  withChoice,
} from "./column-outcomes.ts";
export { FileDrop } from "./file-drop.tsx";
export { Refused, Warnings } from "./findings.tsx";
export { ImportDetails } from "./import-details.tsx";
export { ImportState } from "./import-state.tsx";
export {
  type Import,
  type ImportOptions,
  importQuery,
  IMPORTS,
  namesKey,
  prepareImport,
  type Detected,
  effectiveOf,
  targetsOf,
  typeOf,
  type WordCount,
} from "./import.ts";
export { Links, MissingAccounts } from "./links.tsx";
export type { Sample } from "./sample.ts";
export { startUpload, useUpload } from "./uploads.ts";
export { type Check, useCheck } from "./use-check.ts";
