/** Finds, creates and updates records by email, phone, external id or domain, individually or in batches. */

export { checkItems, writeBatch } from "./batch.ts";
export type { Written } from "./change-found.ts";
export {
  addressKeys,
  hasAddresses,
  KEY_NAMES,
  type KeyKind,
  keyKinds,
  keyText,
} from "./find-by-key.ts";
export { lookUpRecords } from "./look-up.ts";
export { createGuarded } from "./on-duplicate.ts";
export { keyIssues, putByKey } from "./put-by-key.ts";
export {
  type Outcome,
  type UpdateExample,
  type UpsertInput,
  upsertRecords,
  WRITE_MODES,
  writeCheck,
  type WriteMode,
} from "./upsert.ts";
