/**
 * The connections to PostgreSQL. Two pools of one database: `sql` for writes and look-ups by key,
 * whose plans never change, and `lists` for the queries that callers compose, which are planned anew
 * for the values at hand and stopped by the database when they take too long (D4.6).
 */

import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import type { Sql as Query } from "sql-template-tag";
import { noted, notedTransaction } from "./server-timing.ts";

export type Db = postgres.Sql;

declare const inTransaction: unique symbol;
/** A `Db` that is inside a transaction. Ask for this where a write must not stand alone. */
export type Tx = postgres.TransactionSql & { readonly [inTransaction]: true };

/** Whether a connection is inside a transaction already: only a pool can begin one. */
export const isTx = (db: Db | Tx): db is Tx => !("begin" in db);

export interface Database {
  readonly sql: Db;
  readonly lists: Db;
  readonly close: (options?: { readonly timeout_s: number }) => Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The server's socket, where there is one: half the time of TCP for each statement. */
  readonly socket?: string | undefined;
  /** Connections of each pool. */
  readonly connections: number;
  /** After how long the database stops a list's query. */
  readonly listTimeout_ms: number;
}

export function connect(options: DatabaseOptions): Database {
  const { url, socket, connections, listTimeout_ms } = options;
  const common = {
    ...(socket !== undefined && { path: socket }),
    max: connections,
    connect_timeout: 5,
    idle_timeout: 0,
    onnotice: () => {},
    // bigint columns hold epoch seconds and counters: safe integers.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  };
  const sql = timedPool(postgres(url, { ...common, connection: { application_name: "leadport" } }));
  const lists = timedPool(
    postgres(url, {
      ...common,
      connection: {
        application_name: "leadport lists",
        statement_timeout: listTimeout_ms,
        plan_cache_mode: "force_custom_plan",
      },
    }),
  );
  return {
    sql,
    lists,
    close: async ({ timeout_s } = { timeout_s: 5 }) => {
      await Promise.all([sql.end({ timeout: timeout_s }), lists.end({ timeout: timeout_s })]);
    },
  };
}

/** A pool whose statements are noted for the requests that want to know their times. */
const timedPool = (pool: Db): Db =>
  Object.assign((...given: Parameters<Db>) => noted(pool(...given)), pool, {
    unsafe: (...given: Parameters<Db["unsafe"]>) => noted(pool.unsafe(...given)),
  }) as Db;

/** One more connection beside a pool, for what must not wait for it; opened when it is used. */
export const aside = (sql: Db): Db =>
  timedPool(postgres({ ...(sql.options as object), max: 1, idle_timeout: 30 }));

/**
 * Runs `work` in one transaction, of a `mode` such as "read only": all of it commits, or none. Inside a
 * transaction that is a part of it (a savepoint), which fails without the rest.
 *
 * Where PostgreSQL ends the session, the driver (3.4.9) must not be used on it again, not even for the
 * COMMIT or ROLLBACK that it would send by itself: it would write to no socket, and the process would
 * end or the connection never be free again. So no statement gets past a loss, and `work` never
 * returns from one: the driver has failed `begin` already. A part shares what is known of the session
 * with the whole: its ROLLBACK TO would meet the next transaction on that connection.
 */
export async function transaction<T>(
  db: Db | Tx,
  work: (tx: Tx) => Promise<T>,
  mode = "",
): Promise<T> {
  const whole = isTx(db) ? sessionOf.get(db) : undefined;
  const session: Session = whole ?? { suspected: undefined, isOver: false };
  const settle = async (tx: Tx): Promise<T> => {
    try {
      const done = await work(guarded(tx, session));
      if (session.suspected === undefined) return done;
    } catch (error) {
      if (session.suspected === undefined && !isUnavailable(error)) throw error;
      session.suspected ??= error as Error;
    }
    if (!session.isOver) await delay(LOST_WITHIN_ms, undefined, { ref: false });
    if (!session.isOver) throw session.suspected;
    return new Promise<never>(() => {});
  };
  try {
    return await notedTransaction(settle, (part) =>
      isTx(db) ? db.savepoint((tx) => part(tx as Tx)) : db.begin(mode, (tx) => part(tx as Tx)),
    );
  } catch (error) {
    if (whole === undefined || isUnavailable(error)) session.suspected ??= error as Error;
    session.isOver ||= whole === undefined;
    throw error;
  }
}

/** What is known of a transaction's session: the first sign that it is gone, and that it is. */
interface Session {
  suspected: Error | undefined;
  isOver: boolean;
}

/** Those of the transactions that are under way. */
const sessionOf = new WeakMap<Tx, Session>();

/** How long the driver may take to notice that a session is gone. */
const LOST_WITHIN_ms = 5000;

/** A transaction that refuses statements from the first sign on that its session is gone. */
function guarded(tx: Tx, session: Session): Tx {
  const refuseLost = (): void => {
    if (session.suspected !== undefined) throw session.suspected;
  };
  const watched = (query: unknown): unknown => {
    // The plain `then`: the driver's own would send what is only part of another statement.
    if (query instanceof Promise) {
      void Promise.prototype.then.call(query, undefined, (error: unknown) => {
        if (isUnavailable(error)) session.suspected ??= error as Error;
      });
    }
    return noted(query);
  };
  const proxy = new Proxy(tx, {
    apply: (target, self, given) => {
      refuseLost();
      return watched(Reflect.apply(target as never, self, given));
    },
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name !== "unsafe" && name !== "savepoint") return member;
      refuseLost();
      if (name === "savepoint") return member;
      return (...given: unknown[]) => watched(Reflect.apply(member as never, target, given));
    },
  });
  sessionOf.set(proxy, session);
  return proxy;
}

/** Runs a composed query. Only shapes that recur should be prepared: each stays in the session. */
export const run = (
  db: Db | Tx,
  { text, values }: Pick<Query, "text" | "values">,
  { prepare = true } = {},
) => db.unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare });

/**
 * What comes of statements that were sent together and run one after the other, when all of them are
 * done. Of several that fail the first one's error is thrown: the others fail because of it.
 */
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
