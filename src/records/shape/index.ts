/** Defines what a record type accepts, stores and returns: schemas, rules, and the computation of bodies. */

export { withAddedEntries } from "./added-entries.ts";
export {
  type Column,
  columnOf,
  groupColumns,
  momentColumns,
  mustColumn,
  referenceFields,
  sortColumns,
  STAMP_COLUMNS,
  stampColumn,
  storedColumns,
  sumColumns,
  uniqueFields,
} from "./columns.ts";
export { takeNumber } from "./counters.ts";
export { FIELD_KINDS, ORIGINS, typeDefinition } from "./field-definitions.ts";
export { emailKey, looksDeliverable } from "./email.ts";
export { ENTRY_KEYS, hasMain, isMain, isOtherEntry, listedKeys } from "./entries.ts";
export { entryLists, givenLists, withLists, withMain } from "./entry-lists.ts";
export { type ContactDetails, keyTexts, type PersonKeys, personKeys } from "./person-keys.ts";
export { type CountryCode, isPhone, keyedPhoneEntry, nationalDigits, phoneKey } from "./phone.ts";
export {
  computedFields,
  type Draft,
  draftOf,
  type Internal,
  isCleared,
  nameParts,
  patchedDraft,
  patchInput,
  present,
  storedDraft,
  type Values,
} from "./present.ts";
export { conditionFaults, dateFaults, recordRules, sumFaults } from "./rules.ts";
export { printedRequest, REPEATED_SCHEMAS } from "./printed-requests.ts";
export {
  checkedSchema,
  frozenNames,
  readOnlyNames,
  requestName,
  requestSchema,
  responseSchema,
  withoutStamps,
} from "./schemas.ts";
export { newStamps, sampleRecord } from "./sample-record.ts";
export { openSsn, sealSsn, spellSsn } from "./ssn.ts";
export { parts } from "./statement-parts.ts";
export { STORAGES } from "./storages.ts";
export { companyDomain } from "./website.ts";
