/** Requests that read and change a single record. */

export {
  cacheRecord,
  createRecord,
  keepRecord,
  type OnDuplicate,
  patchRecord,
  recordQuery,
  refreshLists,
  useKeeping,
} from "./one-record.ts";
