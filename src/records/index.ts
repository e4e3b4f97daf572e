/** The record types and their operations. */

import sql from "sql-template-tag";
import { type BasicServices, COUNT_MAX, type Module } from "../platform/modules/index.ts";
import { forgetMerges } from "./merge/index.ts";
import { RECORD_COLUMNS } from "./personal-columns.ts";
import { recordOperations, type RecordsDeps, recordSchemas } from "./routes/index.ts";
import { RECORD_NAMES, TYPE_FACTS } from "./types/index.ts";
import type { Participant } from "./store/index.ts";
import { createRenaming } from "./write/index.ts";

export { authorOf, partsFor, typeFor } from "./routes/index.ts";
export {
  BATCH_FIRST,
  KEPT_BYTES,
  nextSize,
  sendList,
  DATE_PARAMETERS,
  type ExportPlan,
  exportParameters,
  LIST_PARAMETERS,
  type ListQuery,
  planExport,
  planList,
  type Span,
  spanBetween,
} from "./list/index.ts";
export {
  type Column,
  companyDomain,
  type ContactDetails,
  type CountryCode,
  draftOf,
  emailKey,
  ENTRY_KEYS,
  groupColumns,
  isCleared,
  keyedPhoneEntry,
  keyTexts,
  looksDeliverable,
  momentColumns,
  newStamps,
  nationalDigits,
  type PersonKeys,
  personKeys,
  present as presentRecord,
  recordRules,
  referenceFields,
  requestSchema,
  responseSchema,
  sampleRecord,
  sortColumns,
  sumColumns,
  typeDefinition,
  withoutStamps,
} from "./shape/index.ts";
export {
  addressKeys,
  KEY_NAMES,
  keyKinds,
  keyText,
  lookUpRecords,
  type Outcome,
  type UpdateExample,
  type UpsertInput,
  upsertRecords,
  WRITE_MODES,
  writeCheck,
  type WriteMode,
} from "./keys/index.ts";
export { derivedKindOf } from "./derived/index.ts";
export {
  type CellReader,
  ENTRIES_MAX,
  jsonOf,
  kindOf,
  NOTHING,
  type Parsed,
  UNREADABLE,
} from "./kinds/index.ts";
export {
  aNoun,
  type Field,
  isLongText,
  BUILT_IN_TYPES,
  LEAD_SOURCES,
  type Listing,
  RECORD_NAMES,
  RECORD_TABLES,
  type RecordName,
  type RecordType,
  type RecordTypes,
  SUBJECT_TYPES,
  subjectWord,
  TYPE_FACTS,
  type TypeFacts,
  typeOf,
  typesOf,
} from "./types/index.ts";
export {
  type Author,
  findBody,
  findStored,
  type NewRecord,
  type Participant,
  recordNames,
  store,
  type WriteDeps,
  type Writer,
  writerOn,
} from "./store/index.ts";
export {
  convertLead,
  createDraft,
  createDrafts,
  createRecord,
  idOf,
  patchRecord,
} from "./write/index.ts";
export { compileMatching, matchingIds } from "./filter/index.ts";
export { clearReferences, mergeRecords } from "./merge/index.ts";

interface WorkServices extends BasicServices {
  readonly participants: readonly Participant[];
}

export const recordsModule = {
  name: "records",
  imports: ["audit", "access"],
  operations: (services: RecordsDeps) => ({ tenants: recordOperations(services) }),
  works: ({ sql: db, clock, makeId, participants }: WorkServices) => ({
    follow_rename: createRenaming(db, { makeId, participants }),
    purge_merges: () => forgetMerges(db, clock),
  }),
  schemas: recordSchemas,
  tags: {
    ...Object.fromEntries(
      RECORD_NAMES.map((name) => [TYPE_FACTS[name].table, TYPE_FACTS[name].description]),
    ),
    fields: "The record types and their fields, as data.",
  },
  personal: RECORD_COLUMNS,
  jobs: {
    rename: sql`
      select count(*)::int as pending,
             coalesce(extract(epoch from now())
               - ('x' || left(min(id), 8))::bit(32)::bigint::float8, 0) as age_s
        from (select id from renames order by id limit ${COUNT_MAX}) r`,
  },
} satisfies Module;
