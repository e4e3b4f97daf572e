/**
 * The connections to PostgreSQL. Two pools of one database: `sql` for writes and look-ups by key,
 * whose plans never change, and `lists` for the queries that callers compose, which are planned anew
 * for the values at hand and stopped by the database when they take too long (D4.6).
 */

import postgres from "postgres";
import type { Sql as Query } from "sql-template-tag";

export type Db = postgres.Sql;

declare const inTransaction: unique symbol;
/** A `Db` that is inside a transaction. Ask for this where a write must not stand alone. */
export type Tx = postgres.TransactionSql & { readonly [inTransaction]: true };

export interface Database {
  readonly sql: Db;
  readonly lists: Db;
  readonly close: (options?: { readonly timeout_s: number }) => Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections of each pool. */
  readonly connections: number;
  /** After how long the database stops a list's query. */
  readonly listTimeout_ms: number;
}

export function connect({ url, connections, listTimeout_ms }: DatabaseOptions): Database {
  const common = {
    max: connections,
    connect_timeout: 5,
    idle_timeout: 0,
    onnotice: () => {},
    // bigint columns hold epoch seconds and counters: safe integers.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  };
  const sql = postgres(url, { ...common, connection: { application_name: "leadport" } });
  const lists = postgres(url, {
    ...common,
    connection: {
      application_name: "leadport lists",
      statement_timeout: listTimeout_ms,
      plan_cache_mode: "force_custom_plan",
    },
  });
  return {
    sql,
    lists,
    close: async ({ timeout_s } = { timeout_s: 5 }) => {
      await Promise.all([sql.end({ timeout: timeout_s }), lists.end({ timeout: timeout_s })]);
    },
  };
}

/** One more connection beside a pool, for what must not wait for it; opened when it is used. */
export const aside = (sql: Db): Db =>
  postgres({ ...(sql.options as object), max: 1, idle_timeout: 30 });

/** Runs `work` in one transaction: all of it commits, or none. */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await db.begin((tx) => work(tx as Tx))) as T;
}

/** Runs a composed query. Only shapes that recur should be prepared: each stays in the session. */
export const run = (db: Db | Tx, { text, values }: Query, { prepare = true } = {}) =>
  db.unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare });

/** What postgres.js and the sockets below it say when there is no database to talk to. */
const NO_CONNECTION = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? "");

/** Whether a statement failed because the database cannot be reached, or is starting or stopping. */
export const isUnavailable = (error: unknown): boolean =>
  NO_CONNECTION.has(codeOf(error)) || /^(08|57P0|53300)/.test(codeOf(error));

/** Whether the database stopped a statement that took too long, or found a pattern too complex. */
export const isTooCostly = (error: unknown): boolean =>
  codeOf(error) === "57014" || codeOf(error) === "2201B";

/** Whether a statement would have stored a value twice that must be unique. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === "23505";
