/** Connections to PostgreSQL with `pg`: sessions that queries share, and the queries that run in them. */

export type { ServerAddress } from "./address.ts";
export { CopyInQuery, CopyOutQuery } from "./copy-query.ts";
export { DatabaseError } from "./driver.ts";
export { Listener } from "./listener.ts";
export { Pool, type PoolOptions } from "./pool.ts";
export type { Query } from "./query.ts";
export type { RawRow } from "./raw-row.ts";
export type { Session } from "./session.ts";
export {
  ABORTED,
  type Rows,
  type Statement,
  type StatementOptions,
  StatementQuery,
} from "./statement-query.ts";
export type { Settings } from "./target.ts";
