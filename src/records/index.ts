/** The seven record types and their operations. */

export { recordsMarkdown } from "./page.ts";
export { followOneRename } from "./renames.ts";
export { recordOperations, recordSchemas, type RecordsDeps } from "./routes.ts";
export { RECORD_TYPES, recordTypes } from "./types/index.ts";
