/** The record types and their operations. */

export { authorOf, recordOperations, recordSchemas } from "./routes/index.ts";
export {
  sendList,
  DATE_PARAMETERS,
  type ExportPlan,
  exportParameters,
  LIST_PARAMETERS,
  type ListQuery,
  planExport,
  planList,
  recordsMarkdown,
  type Span,
  spanBetween,
} from "./list/index.ts";
export {
  companyDomain,
  type ContactDetails,
  type CountryCode,
  draftOf,
  emailKey,
  ENTRIES_MAX,
  keyTexts,
  looksDeliverable,
  newStamps,
  type PersonKeys,
  personKeys,
  present as presentRecord,
  RECORD_TABLES,
  recordRules,
  requestSchema,
  responseSchema,
  sampleRecord,
} from "./shape/index.ts";
export {
  addressKeys,
  keyText,
  lookUpRecords,
  type Outcome,
  upsertRecords,
  WRITE_MODES,
  writeCheck,
  type WriteMode,
} from "./keys/index.ts";
export {
  type Field,
  isLongText,
  LEAD_SOURCES,
  type Listing,
  RECORD_TYPES,
  type RecordName,
  type RecordType,
  recordTypes,
  SUBJECT_TYPES,
  subjectWord,
} from "./types/index.ts";
export {
  type Author,
  convertLead,
  createDraft,
  createDrafts,
  createRecord,
  type CreationHook,
  findBody,
  followOneRename,
  idOf,
  type MergeHook,
  type NewRecord,
  patchRecord,
  recordNames,
  type WriteDeps,
  type Writer,
  writerOn,
} from "./write/index.ts";
export { compileMatching, matchingIds } from "./filter/index.ts";
export { forgetMerges, mergeRecords } from "./merge/index.ts";
