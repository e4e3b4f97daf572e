/** The body of a record, computed from its input: defaults, derived members, lists of entries. */

export { withAddedEntries } from "./added-entries.ts";
export { entryLists, givenLists, withLists, withMain } from "./entry-lists.ts";
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
  sumOf,
  type Values,
} from "./present.ts";
export { openSsn, sealSsn, spellSsn } from "./ssn.ts";
