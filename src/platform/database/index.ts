/** PostgreSQL: connections, transactions, statements, and behavior during outages. */

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
export { guardedBy, noteStarted, NOT_STARTED, refuseAbandoned } from "./start-guard.ts";
export { DATABASE_SILENT } from "./database-watch.ts";
