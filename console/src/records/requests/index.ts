/** Requests for one record. */

export {
  createRecord,
  keepRecord,
  type OnDuplicate,
  patchRecord,
  recordQuery,
  refreshLists,
  useKeeping,
} from "./one-record.ts";
