/** PostgreSQL: connections, migrations, locks, settings, and behavior during outages. */

export { asStartError, untilStarted, warnOfSlowSettings } from "./database-refusal.ts";
export {
  connect,
  copyConnection,
  type Database,
  forReads,
  type Holding,
  inOrder,
  isContended,
  isDuplicate,
  isRetriable,
  isTooCostly,
  isUnavailable,
  isUnknownValue,
  PARALLEL_MAX,
  READ_CONNECTIONS,
  separateConnection,
  transaction,
  transactionInParallel,
  whenEnded,
} from "./db.ts";
export {
  assigned,
  columns,
  type Compose,
  composed,
  inserted,
  run,
  VARIABLE,
  withConstants,
} from "./statement.ts";
export { type Db, isTx, type Tx } from "./tx.ts";
export { mustHavePatchedDriver } from "./patched-driver.ts";
export { connectingTo, type ServerAddress } from "./server-address.ts";
export type { Pool } from "./database-watch.ts";
export { createHorizon, type Horizon, type Settled } from "./horizon.ts";
export { addMeasured, type MeasuredGroup, type Sample } from "./measured.ts";
export {
  markIncomplete,
  migrate,
  migrateDatabase,
  migrationState,
  mustBeComplete,
  mustBeMigrated,
  serverVersion,
} from "./migrate.ts";
export { availableMemory, settingArguments } from "./postgres-settings.ts";
export {
  ChangedByOthers,
  WriteConflict,
  LockedByOthers,
  retry,
  retryWhileLocked,
} from "./retry.ts";
export { guardedBy, isNotStarted, noteStarted } from "./start-guard.ts";
