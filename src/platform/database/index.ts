/** PostgreSQL: connections, migrations, locks, settings, and what to do while it is away. */

export { asStartError, untilStarted, warnOfSlowSettings } from "./database-refusal.ts";
export {
  aside,
  BESIDES_MAX,
  connect,
  type Database,
  forReads,
  type Holding,
  inOrder,
  isContended,
  isDuplicate,
  isPassing,
  isTooCostly,
  isUnavailable,
  isUnknownValue,
  READ_CONNECTIONS,
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
  withConstants,
} from "./statement.ts";
export { type Db, isTx, type Tx } from "./tx.ts";
export { connectingTo, type ServerAddress } from "./server-address.ts";
export type { Pool } from "./database-watch.ts";
export { createHorizon, type Horizon, type Settled } from "./horizon.ts";
export { addMeasured, type MeasuredGroup, type Sample } from "./measured.ts";
export { migrate, migrationState, mustBeMigrated, serverVersion } from "./migrate.ts";
export { memoryAtHand, settingArguments } from "./postgres-settings.ts";
export { ChangedByOthers, Crowded, HeldByOthers, retry, untilFree } from "./retry.ts";
export { guardedBy, isNotStarted, noteStarted } from "./start-guard.ts";
