/** The seven record types and their operations. */

export { authorOf } from "./operation-parts.ts";
export { recordsMarkdown } from "./page.ts";
export { answerList } from "./answer-list.ts";
export { emailKey } from "./email.ts";
export { ENTRIES_MAX } from "./entry-lists.ts";
export { addressKeys, keyText } from "./find-by-key.ts";
export { keyTexts, personKeys, type ContactWays, type PersonKeys } from "./person-keys.ts";
export type { CountryCode } from "./phone.ts";
export { LIST_PARAMETERS, planList, type ListQuery } from "./plan.ts";
export { draftOf } from "./present.ts";
export { recordRules } from "./rules.ts";
export { requestSchema, responseSchema } from "./schemas.ts";
export { DATE_PARAMETERS, spanBetween, type Span } from "./window.ts";
export type { Field, RecordName, RecordType } from "./define.ts";
export { EXPORT_PARAMETERS, exportSql } from "./export.ts";
export { idOf } from "./create-many.ts";
export { lookUpRecords } from "./look-up.ts";
export { compileMatching, matchingIds } from "./match.ts";
export type { MergeHook } from "./merge.ts";
export { forgetMerges } from "./merges.ts";
export { followOneRename } from "./renames.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
export { RECORD_TABLES } from "./statement-parts.ts";
export { findBody } from "./stored.ts";
export { RECORD_TYPES, recordTypes } from "./types/index.ts";
export { upsertRecords, WRITE_MODES, writeCheck, type Outcome, type WriteMode } from "./upsert.ts";
export { companyDomain } from "./website.ts";
export {
  createDraft,
  createDrafts,
  type Author,
  type CreationHook,
  type NewRecord,
  type WriteDeps,
} from "./write.ts";
