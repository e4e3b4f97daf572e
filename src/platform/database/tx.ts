/** Statements run either in a pool or in a transaction. These types distinguish the two. */

import type { Party } from "../admission/index.ts";
import type { Listener, Query, Settings } from "../pool/index.ts";

/** A connection on which queries run. They are sent in the order in which they are submitted. */
export interface Connection {
  readonly submit: (query: Query) => void;
}

/** A connection that is used by the caller alone. */
export interface Reserved extends Connection {
  readonly release: () => void;
}

export interface SeparateOptions {
  /** Session settings in addition to those of the pool. */
  readonly settings?: Settings;
  /** Changes the text of each statement before it is sent. */
  readonly rewrite?: (text: string) => string;
  /** The connection is closed when it has not been used for this long. */
  readonly idle_ms?: number;
  /** Whether statements fail if the database does not respond. Default: true. */
  readonly isWatched?: boolean;
}

/** Decides whether the statements of a request may still start. See start-guard.ts. */
export interface Guard {
  /** Returns an error if a statement may not start any more. */
  readonly refuse: () => Error | undefined;
  /** Notes that the request has started. */
  readonly start: () => void;
  /** Whether the client of the request has disconnected. */
  readonly isAbandoned: () => boolean;
}

/** A pool of connections. */
export interface Db extends Connection {
  readonly isTransaction: false;
  /** The pool for short reads, or this pool if there is none. */
  readonly reads: Db;
  readonly guard: Guard | undefined;
  /** Returns the pool with a guard for its statements. */
  readonly guardedBy: (guard: Guard) => Db;
  readonly begin: <T>(mode: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Runs part of a transaction that has no slot. The part takes a slot of this pool. */
  readonly holding: <T>(party: Party, part: () => Promise<T>) => Promise<T>;
  readonly reserve: () => Promise<Reserved>;
  /** Returns a pool with one connection to the same database. */
  readonly separate: (options: SeparateOptions) => Db;
  readonly listen: (channel: string, onNotice: () => void) => Listener;
  /** Closes the connections. Statements that are still running after `timeout` seconds fail. */
  readonly end: (options?: { readonly timeout?: number }) => Promise<void>;
}

/**
 * A connection inside a transaction. Functions require this type if they write data that must commit together with
 * other writes.
 */
export interface Tx extends Connection {
  readonly isTransaction: true;
  /** Runs a part of the transaction that can fail without failing the rest. */
  readonly savepoint: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Calls `listener` when the transaction has been committed (true) or rolled back (false). */
  readonly onEnd: (listener: (isCommitted: boolean) => void) => void;
}

/** Whether a connection is inside a transaction. */
export const isTx = (db: Db | Tx): db is Tx => db.isTransaction;
