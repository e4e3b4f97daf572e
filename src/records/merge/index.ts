/** Finds possible duplicates, merges records, and undoes merges. */

export { duplicatesJson, duplicateSchema, findDuplicates } from "./duplicates.ts";
export { forgetMerges, listMerges, MERGE_SCHEMA, restoredIds } from "./merge-log.ts";
export { MERGE_REQUEST, mergeRecords, UNDO_REQUEST } from "./merge.ts";
export { undoMerge } from "./undo-merge.ts";
export { clearReferences } from "./referrers.ts";
