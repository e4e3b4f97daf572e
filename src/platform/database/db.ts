/**
 * Connections to PostgreSQL. Each database has three connection pools. `sql` is for writes and for
 * other statements of the same transactions. `reads` is for short statements that reuse their
 * plans: lookups by key, and pages that are read from a single index range. `lists` is for queries
 * with conditions that callers choose. PostgreSQL plans these queries for their actual values, and
 * cancels them if they take too long.
 */

import { currentParty, Gate, pastGates } from "../admission/index.ts";
import { Pool, type ServerAddress, type Settings } from "../pool/index.ts";
import { createWatch } from "./database-watch.ts";
import { PooledDb } from "./pooled-db.ts";
import { type Db, isTx, type Tx } from "./tx.ts";

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
/** Maximum number of statements in flight on a connection of the pool `reads`. */
export const PIPELINED_MAX = 16;
/** The database's time limit for statements in `sql`. */
const STATEMENT_MAX_ms = 20_000;
const LOCK_WAIT_MAX_ms = 10_000;
/**
 * The margin after the database's time limit. If the database has not canceled a statement by then, the statement fails
 * anyway.
 */
const LIMIT_MARGIN_ms = 2_000;
const PROBE_MAX_ms = 800;
const CONNECT_MAX_ms = 5_000;
/** Separate connections are closed when they have not been used for this long. */
const SEPARATE_IDLE_ms = 30_000;

/** The session settings of each pool. */
const settingsOf = (listTimeout_ms: number) => {
  const sql = {
    application_name: "leadport",
    statement_timeout: STATEMENT_MAX_ms,
    lock_timeout: LOCK_WAIT_MAX_ms,
  };
  const reads = {
    ...sql,
    application_name: "leadport reads",
    default_transaction_read_only: true,
    plan_cache_mode: "force_generic_plan",
    // A plan that is made while a table is small must not read all of the table when it has grown.
    enable_seqscan: false,
  };
  const lists = {
    application_name: "leadport lists",
    statement_timeout: listTimeout_ms,
    plan_cache_mode: "force_custom_plan",
  };
  return { sql, reads, lists } satisfies Readonly<Record<string, Settings>>;
};

export function connect({ url, address, connections, listTimeout_ms }: DatabaseOptions) {
  const settings = settingsOf(listTimeout_ms);
  const common = { url, address, connect_ms: CONNECT_MAX_ms };
  const pools = {
    writes: new Pool({ ...common, max: connections, settings: settings.sql }),
    reads: new Pool({
      ...common,
      max: READ_CONNECTIONS,
      pipelined: PIPELINED_MAX,
      settings: settings.reads,
    }),
    lists: new Pool({ ...common, max: connections + PARALLEL_MAX, settings: settings.lists }),
  };
  const probePool = new Pool({ ...common, idle_ms: SEPARATE_IDLE_ms, settings: settings.sql });
  const probe = new PooledDb({ pool: probePool });
  const watch = createWatch(probe, probePool, PROBE_MAX_ms, STATEMENT_MAX_ms + LIMIT_MARGIN_ms);
  const gates = {
    sql: new Gate(connections, watch.silence),
    lists: new Gate(connections, watch.silence),
    reads: new Gate(READ_CONNECTIONS * PIPELINED_MAX, watch.silence),
  };
  watch.add(pools.writes, gates.sql);
  watch.add(pools.reads, gates.reads);
  watch.add(pools.lists, gates.lists, listTimeout_ms + LIMIT_MARGIN_ms);
  const reads: Db = new PooledDb({ pool: pools.reads, gate: gates.reads, watch });
  const sql: Db = new PooledDb({ pool: pools.writes, gate: gates.sql, watch, reads });
  const lists: Db = new PooledDb({ pool: pools.lists, gate: gates.lists, watch });
  return {
    sql,
    lists,
    reads,
    /** The pool for checks that must not queue behind requests. A check fails after less than a second. */
    probe: probe as Db,
    pools,
    /** The slots in use and the waiting requests of each pool (docs/fair-shares.md). */
    admission: {
      snapshot: () => ({
        sql: gates.sql.figures(),
        reads: gates.reads.figures(),
        lists: gates.lists.figures(),
      }),
    },
    close: async ({ timeout_s } = { timeout_s: 5 }): Promise<void> => {
      const all = [...Object.values(pools), probePool];
      await Promise.all(all.map((pool) => pool.end({ timeout: timeout_s })));
      watch.close();
    },
  };
}

/** Returns the short-read pool that belongs to `db`. Returns a transaction unchanged. */
export const forReads = (db: Db | Tx): Db | Tx => (isTx(db) ? db : db.reads);

/**
 * Returns a separate connection for statements that must not wait for the pool. It is opened on first use. `settings`
 * are session settings in addition to those of the pool.
 */
export const separateConnection = (sql: Db, settings: Settings = {}): Db =>
  sql.separate({ settings, idle_ms: SEPARATE_IDLE_ms });

/**
 * Returns a separate connection for copying whole tables, which may take hours. It has no time limits and is not
 * watched.
 */
export const copyConnection = (sql: Db): Db =>
  sql.separate({
    settings: { application_name: "leadport copy", statement_timeout: 0 },
    isWatched: false,
  });

/**
 * Runs `work` in a transaction, optionally with a `mode` such as "read only". Inside another transaction, it uses a
 * savepoint, which can fail without failing the outer transaction. If PostgreSQL ends the session, the transaction
 * and all its further statements fail with an error that `isUnavailable` recognizes.
 */
export const transaction = <T>(db: Db | Tx, work: (tx: Tx) => Promise<T>, mode = ""): Promise<T> =>
  isTx(db) ? db.savepoint(work) : db.begin(mode, work);

/** Calls `listener` when the transaction has been committed (true) or rolled back (false). */
export const whenEnded = (tx: Tx, listener: (isCommitted: boolean) => void): void =>
  tx.onEnd(listener);

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
  const party = currentParty();
  const holding: Holding = (part) => lists.holding(party, part);
  return pastGates(party, () => transaction(lists, (tx) => work(tx, holding), mode));
}

/** Waits for statements that were sent together. Returns their results, or throws the first error. */
export async function inOrder<T extends readonly unknown[]>(
  ...sent: { [K in keyof T]: Promise<T[K]> }
): Promise<{ -readonly [K in keyof T]: T[K] }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
