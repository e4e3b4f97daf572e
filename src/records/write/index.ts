/** Creates, changes, removes and converts records, with their references, owners and history. */

export {
  checkConversion,
  CONVERT_ANSWER,
  CONVERT_SCHEMA,
  type Conversion,
  type ConvertChecks,
  convertLead,
} from "./convert.ts";
export { createMany, idOf, type NewInput, type TakenValue, takenError } from "./create-many.ts";
export { etagOf, knownEtag } from "./etag.ts";
export {
  findBody,
  findId,
  findStored,
  groupReader,
  inGroups,
  lockStored,
  lockUnread,
  readStored,
  recordNames,
  storedIn,
  type Stored,
  UNREAD,
  type Unread,
} from "./find-record.ts";
export { currentByExternalIds, currentIds, findAllByAnyId, findByAnyId } from "./old-ids.ts";
export { meaningfulInput, patchRecord, patchStored } from "./patch.ts";
export { refuseStale } from "./precondition.ts";
export { deleteRecord } from "./delete-record.ts";
export { createRenaming } from "./renames.ts";
export { retryOnConflict } from "./retry-on-conflict.ts";
export { NOW, type StatementContext } from "./statement-values.ts";
export { revealSsn } from "./reveal.ts";
export { removeRecords, restoreRecord, updateRecord } from "./statements.ts";
export { updateRecords } from "./update-many.ts";
export {
  conflictOf,
  createDraft,
  createDrafts,
  createRecord,
  loggedFields,
  secretDraft,
  takenMessage,
} from "./write.ts";
export {
  type Author,
  type CreationHook,
  inTransaction,
  type MergeHook,
  type NewRecord,
  type WriteDeps,
  type Writer,
  writerOn,
} from "./writer.ts";
