/** Creates, changes, removes and converts records, with their references, owners and history. */

export {
  checkConversion,
  CONVERT_ANSWER,
  CONVERT_SCHEMA,
  type Conversion,
  convertLead,
} from "./convert.ts";
export { conflictOf, type TakenValue, takenError, takenMessage } from "./conflicts.ts";
export { createMany, idOf, type NewInput } from "./create-many.ts";
export { etagOf, knownEtag } from "./etag.ts";
export { currentByExternalIds, currentIds, findAllByAnyId, findByAnyId } from "./old-ids.ts";
export { meaningfulInput, patchRecord, patchStored } from "./patch.ts";
export { refuseStale } from "./precondition.ts";
export { deleteRecord } from "./delete-record.ts";
export { createRenaming } from "./renames.ts";
export { retryOnConflict } from "./retry-on-conflict.ts";
export { revealSsn } from "./reveal.ts";
export { createDraft, createDrafts, createRecord, loggedFields, secretDraft } from "./write.ts";
