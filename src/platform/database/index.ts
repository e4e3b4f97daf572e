/** PostgreSQL: connections, locks, settings, and behavior during outages. */

export { asStartError, untilStarted, warnOfSlowSettings } from "./database-refusal.ts";
export {
  connect,
  copyConnection,
  type Database,
  forReads,
  type Holding,
  inOrder,
  PARALLEL_MAX,
  READ_CONNECTIONS,
  separateConnection,
  transaction,
  transactionInParallel,
  whenEnded,
} from "./db.ts";
export { openPool } from "./pooled-db.ts";
export {
  isContended,
  isDuplicate,
  isRetriable,
  isTooCostly,
  isUnavailable,
  isUnknownValue,
} from "./statement-errors.ts";
export {
  assigned,
  columns,
  type Compose,
  composed,
  inserted,
  type Row,
  type Rows,
  openCopyIn,
  openCopyOut,
  run,
  runRaw,
  VARIABLE,
  withConstants,
} from "./statement.ts";
export { type Connection, type Db, isTx, type Reserved, type Tx } from "./tx.ts";
export type { Pool, RawRow, ServerAddress } from "../pool/index.ts";
export { createHorizon, type Horizon, type Settled } from "./horizon.ts";
export { addMeasured, type MeasuredGroup, type Sample } from "./measured.ts";
export { availableMemory, settingArguments } from "./postgres-settings.ts";
export {
  ChangedByOthers,
  WriteConflict,
  LockedByOthers,
  retry,
  retryWhileLocked,
} from "./retry.ts";
export { guardedBy, isNotStarted, noteStarted } from "./start-guard.ts";
