/** Reads, locks and writes stored records. */

export { type RecordWrite } from "./record-changes.ts";
export {
  findBody,
  findByUnique,
  findId,
  findStored,
  GROUP_RECORDS,
  groupReader,
  inGroups,
  lockStored,
  lockUnread,
  readStored,
  recordNames,
  storedIn,
  type Stored,
  type StoredRow,
  UNREAD,
  type Unread,
} from "./find-record.ts";
export { NOW } from "./statement-values.ts";
export { store } from "./store.ts";
export {
  type Author,
  inTransaction,
  isWriterInTx,
  type NewRecord,
  type Participant,
  participantsIn,
  type StoreContext,
  type StoreDeps,
  type WriteDeps,
  type Writer,
  writerOn,
} from "./writer.ts";
