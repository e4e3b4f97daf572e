/**
 * Connections to PostgreSQL. Each database has three connection pools. `sql` is for writes and for
 * other statements of the same transactions. `reads` is for short statements that reuse their
 * plans: lookups by key, and pages that are read from a single index range. `lists` is for queries
 * with conditions that callers choose. PostgreSQL plans these queries for their actual values, and
 * cancels them if they take too long.
 */

import postgres from "postgres";
import { currentParty, Gate, gatedPool, pastGates, tracedTransaction } from "../admission/index.ts";
import { createWatch, DATABASE_SILENT, type Watch } from "./database-watch.ts";
import { pipelined, PIPELINED_MAX } from "./pipelined.ts";
import { isNoting, noted, notedTransaction } from "../tracing/index.ts";
import { NOT_STARTED } from "./start-guard.ts";
import { type Db, isTx, type Tx } from "./tx.ts";
import { connectingTo, type ServerAddress } from "./server-address.ts";

export type Database = Readonly<ReturnType<typeof connect>>;

export interface DatabaseOptions {
  readonly url: string;
  /** Returns the address for each new connection. Default: the host and port of `url`. */
  readonly address?: (() => ServerAddress) | undefined;
  readonly connections: number;
  /** The time after which the database cancels a list query. */
  readonly listTimeout_ms: number;
}

/**
 * The number of connections that the `lists` pool has in addition to its slots. They are for transactions that may be
 * idle for a long time.
 */
export const PARALLEL_MAX = 2;
/**
 * The number of connections in the pool `reads`. One or two are enough for short reads. The others are for reads that
 * take longer.
 */
export const READ_CONNECTIONS = 4;
/** The minimum time between the closing of a connection and the next attempt to connect. */
const RECONNECT_AFTER_s = 0.1;
/** The database's time limit for statements in `sql`. */
const STATEMENT_MAX_ms = 20_000;
const LOCK_WAIT_MAX_ms = 10_000;
/**
 * The margin after the database's time limit. If the database has not canceled a statement by then, the statement fails
 * anyway.
 */
const LIMIT_MARGIN_ms = 2_000;
const PROBE_MAX_ms = 800;

export function connect(options: DatabaseOptions) {
  const { url, address, connections, listTimeout_ms } = options;
  const common = {
    ...connectingTo(address),
    max: connections,
    connect_timeout: 5,
    idle_timeout: 0,
    backoff: () => RECONNECT_AFTER_s,
    onnotice: () => {},
    // Parse bigint columns as numbers. They contain epoch seconds and counters, which are safe integers.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  };
  const silence = (): Error | undefined => watch.silence();
  const gates = {
    sql: new Gate(connections, silence),
    lists: new Gate(connections, silence),
    reads: new Gate(READ_CONNECTIONS * PIPELINED_MAX, silence),
  };
  const writing = {
    application_name: "leadport",
    statement_timeout: STATEMENT_MAX_ms,
    lock_timeout: LOCK_WAIT_MAX_ms,
  };
  const reading = {
    ...writing,
    application_name: "leadport reads",
    default_transaction_read_only: true,
    plan_cache_mode: "force_generic_plan" as const,
  };
  const listing = {
    application_name: "leadport lists",
    statement_timeout: listTimeout_ms,
    plan_cache_mode: "force_custom_plan" as const,
  };
  const sql = gatedAndTimed(postgres(url, { ...common, connection: writing }), gates.sql);
  const max = connections + PARALLEL_MAX;
  const lists = gatedAndTimed(postgres(url, { ...common, max, connection: listing }), gates.lists);
  const readers = Array.from({ length: READ_CONNECTIONS }, () =>
    postgres(url, { ...common, max: 1, connection: reading }),
  );
  const reads = gatedAndTimed(pipelined(readers), gates.reads);
  Object.assign(sql, { [READS]: reads });
  const probe = single(sql);
  const watch = createWatch(probe, PROBE_MAX_ms);
  watchOf.set(sql, watch);
  watch.add(sql, STATEMENT_MAX_ms + LIMIT_MARGIN_ms, gates.sql);
  for (const one of readers) watch.add(one, STATEMENT_MAX_ms + LIMIT_MARGIN_ms, gates.reads);
  watch.add(lists, listTimeout_ms + LIMIT_MARGIN_ms, gates.lists);
  return {
    sql,
    lists,
    reads,
    /** The pool for checks that must not queue behind requests. A check fails after less than a second. */
    probe,
    /** The slots in use and the waiting requests of each pool (docs/fair-shares.md). */
    admission: {
      snapshot: () => ({
        sql: gates.sql.figures(),
        reads: gates.reads.figures(),
        lists: gates.lists.figures(),
      }),
    },
    close: async ({ timeout_s } = { timeout_s: 5 }): Promise<void> => {
      await Promise.all(
        [sql, lists, ...readers, probe].map((pool) => pool.end({ timeout: timeout_s })),
      );
      watch.close();
    },
  };
}

/** Wraps a pool so that statement times are recorded for requests that ask for them. */
const timedPool = (pool: Db): Db =>
  Object.assign((...given: Parameters<Db>) => noted(pool(...given)), pool, {
    unsafe: (...given: Parameters<Db["unsafe"]>) => noted(pool.unsafe(...given)),
  }) as Db;

function gatedAndTimed(pool: Db, gate: Gate): Db {
  const gated = timedPool(gatedPool(pool, gate));
  gateOf.set(gated, gate);
  return gated;
}

const gateOf = new WeakMap<Db, Gate>();

const READS = Symbol("the pool for short reads");

/** Returns the short-read pool that belongs to `db`. Returns a transaction unchanged. */
export const forReads = (db: Db | Tx): Db | Tx => (db as { readonly [READS]?: Db })[READS] ?? db;

/**
 * Returns a separate connection for statements that must not wait for the pool. It is opened on first use. `settings`
 * are session settings in addition to those of the pool.
 */
export function separateConnection(sql: Db, settings: Readonly<Record<string, string>> = {}): Db {
  const pool = single(sql, settings);
  const endPool = pool.end.bind(pool);
  const watch = watchOf.get(sql);
  watch?.add(pool, STATEMENT_MAX_ms + LIMIT_MARGIN_ms);
  const end: Db["end"] = async (options) => {
    await endPool(options);
    watch?.remove(pool);
  };
  return Object.assign(pool, { end });
}

const single = (sql: Db, settings: Readonly<Record<string, string>> = {}): Db =>
  timedPool(
    postgres({
      ...(sql.options as object),
      max: 1,
      idle_timeout: 30,
      connection: { ...sql.options.connection, ...settings },
    }),
  );

/**
 * Returns a separate connection for copying whole tables, which may take hours. It has no time limits and is not
 * watched.
 */
export const copyConnection = (sql: Db): Db =>
  postgres({
    ...(sql.options as object),
    max: 1,
    connection: {
      ...sql.options.connection,
      application_name: "leadport copy",
      statement_timeout: 0,
    },
  });

/** The watch of each database, keyed by its `sql` pool. */
const watchOf = new WeakMap<Db, Watch>();

/**
 * Runs `work` in a transaction, optionally with a `mode` such as "read only". Inside another transaction, it uses a
 * savepoint, which can fail without failing the outer transaction. If PostgreSQL ends the session, the transaction
 * and all its further statements fail with an error that `isUnavailable` recognizes.
 */
export async function transaction<T>(
  db: Db | Tx,
  work: (tx: Tx) => Promise<T>,
  mode = "",
): Promise<T> {
  let current: Tx | undefined;
  const inner = (tx: unknown) => {
    const traced = tracedTransaction(tx as Db);
    current = (isNoting() ? timedPool(traced) : traced) as unknown as Tx;
    return work(current);
  };
  try {
    const result = await notedTransaction(inner, (part) =>
      isTx(db) ? db.savepoint(part) : db.begin(mode, part),
    );
    for (const listener of listenersOf(current)) {
      // A savepoint's outcome is known only when its outer transaction ends.
      if (isTx(db)) whenEnded(db, listener);
      else listener(true);
    }
    return result;
  } catch (error) {
    for (const listener of listenersOf(current)) listener(false);
    throw error;
  }
}

type EndListener = (isCommitted: boolean) => void;

const endListeners = new WeakMap<Tx, EndListener[]>();

const listenersOf = (tx: Tx | undefined): readonly EndListener[] =>
  (tx && endListeners.get(tx)) ?? [];

/** Calls `listener` when the transaction has been committed (true) or rolled back (false). */
export function whenEnded(tx: Tx, listener: EndListener): void {
  const listeners = endListeners.get(tx);
  if (listeners === undefined) endListeners.set(tx, [listener]);
  else listeners.push(listener);
}

export type Holding = <T>(part: () => Promise<T>) => Promise<T>;

/**
 * Runs a transaction on `lists` that may be idle for a long time. It holds a connection but no slot;
 * `holding` acquires a slot for each part of the work. A process may run at most PARALLEL_MAX such
 * transactions concurrently.
 */
export function transactionInParallel<T>(
  lists: Db,
  work: (tx: Tx, holding: Holding) => Promise<T>,
  mode = "",
): Promise<T> {
  const [gate, party] = [gateOf.get(lists), currentParty()];
  const holding: Holding = (part) => (gate === undefined ? part() : gate.hold(party, part));
  return pastGates(party, () => transaction(lists, (tx) => work(tx, holding), mode));
}

/** Waits for statements that were sent together. Returns their results, or throws the first error. */
export async function inOrder<T extends readonly unknown[]>(
  ...sent: { [K in keyof T]: Promise<T[K]> }
): Promise<{ -readonly [K in keyof T]: T[K] }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

/** Error codes that postgres.js and its sockets report when the database cannot be reached. */
const NO_CONNECTION = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  DATABASE_SILENT,
  NOT_STARTED,
]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? "");

/** Whether a statement failed because the database cannot be reached, or is starting or stopping. */
export const isUnavailable = (error: unknown): boolean =>
  NO_CONNECTION.has(codeOf(error)) || /^(08|57P0|53300)/.test(codeOf(error));

/** Whether the database canceled a statement that took too long, or rejected a pattern as too complex. */
export const isTooCostly = (error: unknown): boolean =>
  codeOf(error) === "57014" || codeOf(error) === "2201B";

/** Whether the database rejected a value as unknown, such as a time zone. */
export const isUnknownValue = (error: unknown): boolean => codeOf(error) === "22023";

/** Whether a statement violated a unique constraint. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === "23505";

/**
 * Whether a transaction may succeed if it is retried: it collided with a concurrent write of the
 * same unique value, or the database ended it because of a deadlock or serialization failure.
 */
export const isRetriable = (error: unknown): boolean =>
  isDuplicate(error) || /^40(001|P01)$/.test(codeOf(error));

/** Whether a statement failed while waiting for a lock, because of a timeout or a deadlock. */
export const isContended = (error: unknown): boolean => /^(55P03|57014|40P01)$/.test(codeOf(error));
