/** The seven record types and their operations. */

export { recordsMarkdown } from "./page.ts";
export type { Field, RecordName, RecordType } from "./define.ts";
export { EXPORT_PARAMETERS, exportSql } from "./export.ts";
export { lookUpRecords } from "./look-up.ts";
export { followOneRename } from "./renames.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
export { RECORD_TYPES, recordTypes } from "./types/index.ts";
export { createCheck, upsertRecords, type Outcome } from "./upsert.ts";
export type { Author, WriteDeps } from "./write.ts";
