/**
 * The connections to PostgreSQL. Three pools of one database: `sql` for writes and what belongs to them; `reads` for
 * lookups by key and pages that are one range of an index, which are short and whose plans can be reused; and `lists` for
 * the queries that callers compose, which are planned for their values each time and stopped by the database when they
 * take too long.
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
  /** Where each new connection goes; to the host and port of `url` by default. */
  readonly address?: (() => ServerAddress) | undefined;
  readonly connections: number;
  /** After how long the database stops a list's query. */
  readonly listTimeout_ms: number;
}

/** Connections of `lists` beyond its slots, for transactions that may be idle for long. */
export const BESIDES_MAX = 2;
/** Connections of `reads`. Short reads alone need one or two of them; the others are for when some are not short. */
export const READ_CONNECTIONS = 4;
/** Before an attempt to connect, whatever came of the one before. */
const RECONNECT_AFTER_s = 0.1;
/** How long the database lets a statement of `sql` run, and wait for a lock. */
const STATEMENT_MAX_ms = 20_000;
const LOCK_WAIT_MAX_ms = 10_000;
/** What a statement may take beyond the limit that the database knows, before it is given up. */
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
    // bigint columns hold epoch seconds and counters: safe integers.
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
  };
  const listing = {
    application_name: "leadport lists",
    statement_timeout: listTimeout_ms,
    plan_cache_mode: "force_custom_plan" as const,
  };
  const sql = gatedAndTimed(postgres(url, { ...common, connection: writing }), gates.sql);
  const max = connections + BESIDES_MAX;
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
    /** For checks that must not wait behind requests: gives up after less than a second. */
    probe,
    /** Who has slots of the pools, and who waits: docs/fair-shares.md. */
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

/** A pool whose statements are noted for the requests that want to know their times. */
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

/** The pool for a short read of what writes with `db`; inside a transaction the transaction itself. */
export const forReads = (db: Db | Tx): Db | Tx => (db as { readonly [READS]?: Db })[READS] ?? db;

/**
 * One more connection beside a pool, for what must not wait for it; opened when it is used. `settings` are set
 * in its session in addition to those of the pool.
 */
export function aside(sql: Db, settings: Readonly<Record<string, string>> = {}): Db {
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

/** What watches the pools of a database, by its `sql`. */
const watchOf = new WeakMap<Db, Watch>();

/**
 * Runs `work` in one transaction, of a `mode` such as "read only": all of it commits, or none. Inside a
 * transaction it is a part of it (a savepoint), which fails without the rest. Where PostgreSQL ends the
 * session, it fails with an error that `isUnavailable` knows, and so does each further statement of it.
 */
export async function transaction<T>(
  db: Db | Tx,
  work: (tx: Tx) => Promise<T>,
  mode = "",
): Promise<T> {
  let own: Tx | undefined;
  const inner = (tx: unknown) => {
    const traced = tracedTransaction(tx as Db);
    own = (isNoting() ? timedPool(traced) : traced) as unknown as Tx;
    return work(own);
  };
  try {
    const done = await notedTransaction(inner, (part) =>
      isTx(db) ? db.savepoint(part) : db.begin(mode, part),
    );
    for (const listener of listenersOf(own)) {
      // A savepoint ends with the transaction around it.
      if (isTx(db)) whenEnded(db, listener);
      else listener(true);
    }
    return done;
  } catch (error) {
    for (const listener of listenersOf(own)) listener(false);
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
 * A transaction of `lists` that may be idle for long: it has a connection and no slot. Its parts get one
 * each, by `holding`. A process may have BESIDES_MAX of them at once.
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

/** The results of statements that were sent together, when all are done; or the first error. */
export async function inOrder<T extends readonly unknown[]>(
  ...sent: { [K in keyof T]: Promise<T[K]> }
): Promise<{ -readonly [K in keyof T]: T[K] }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

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

/** Whether the database stopped a statement that took too long, or found a pattern too complex. */
export const isTooCostly = (error: unknown): boolean =>
  codeOf(error) === "57014" || codeOf(error) === "2201B";

/** Whether a statement was given a value that means nothing to the database, such as a time zone. */
export const isUnknownValue = (error: unknown): boolean => codeOf(error) === "22023";

/** Whether a statement would have stored a value twice that must be unique. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === "23505";

/**
 * Whether a transaction that writes by values that must be unique may succeed when it is run anew:
 * somebody wrote the same value at the same moment, or waited for us crosswise.
 */
export const isPassing = (error: unknown): boolean =>
  isDuplicate(error) || /^40(001|P01)$/.test(codeOf(error));

/** Whether a statement was stopped for want of a lock: it took too long, or waited crosswise. */
export const isContended = (error: unknown): boolean => /^(55P03|57014|40P01)$/.test(codeOf(error));
