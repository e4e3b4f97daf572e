/**
 * Finds out that the database is silent: stopped, behind a dead network, or on a disk that hangs. The
 * driver alone would wait for its responses without end. A statement is given up when nothing has come
 * for longer than the database would let it run. Requests that wait for a connection are given up as soon
 * as a probe gets no response either; behind a pool that is only busy they wait on.
 *
 * Silence is counted in ticks of one timer, so that an event loop that was blocked counts as one tick.
 */

import type { Db } from "./db.ts";

const TICK_ms = 200;
/** How long statements wait while nothing comes from their pool, before the probe is sent. */
const PROBE_AFTER_ticks = 3;

/** The code of the error that statements fail with; `isUnavailable` knows it. */
export const DATABASE_SILENT = "DATABASE_SILENT";

/** What our patch of the driver shows of a pool. */
interface Pool {
  readonly connections: readonly Connection[];
  readonly queries: {
    readonly length: number;
    readonly shift: () => Waiting;
    readonly push: (waiting: Waiting) => void;
  };
}

interface Connection {
  /** Grows with all that the server sends; undefined while nothing is expected of it. */
  readonly heard: number | undefined;
  /** Whether it is being opened, for a statement. */
  readonly opening: boolean;
  /** How many statements were sent behind the one that is under way. */
  readonly pipelined: number;
  /** Sends no other request's statements behind those that are under way. */
  readonly setAside: () => void;
  readonly drop: (error: Error) => void;
}

/** A statement that waits for a connection. */
interface Waiting {
  readonly reject: (error: Error) => void;
  readonly refuse?: () => Error | undefined;
}

export interface Watch {
  /** Watches a pool whose statements the server answers or ends within `limit_ms`. */
  readonly add: (pool: Db, limit_ms: number) => void;
  readonly remove: (pool: Db) => void;
  readonly close: () => void;
}

export function createWatch(probe: () => PromiseLike<unknown>): Watch {
  const watched = new Map<Db, () => void>();
  const timer = setInterval(() => {
    for (const look of watched.values()) look();
  }, TICK_ms);
  timer.unref();
  return {
    add: (pool, limit_ms) => watched.set(pool, lookAt(pool as unknown as Pool, limit_ms, probe)),
    remove: (pool) => watched.delete(pool),
    close: () => clearInterval(timer),
  };
}

/** A connection as it was at the last tick, and for how many ticks it has been silent. */
interface State {
  readonly connection: Connection;
  heard: number | undefined;
  silent_ticks: number;
}

/** What is done with a pool at each tick. */
function lookAt(
  { connections, queries }: Pool,
  limit_ms: number,
  probe: () => PromiseLike<unknown>,
): () => void {
  const states: State[] = connections.map((connection) => ({
    connection,
    heard: undefined,
    silent_ticks: 0,
  }));
  let waited_ticks = 0;
  let isProbing = false;

  const giveUpWaiting = (): void => {
    while (queries.length > 0) queries.shift().reject(silent());
    for (const connection of connections) {
      if (connection.opening || connection.pipelined > 0) connection.drop(silent());
    }
  };
  const ask = async (): Promise<void> => {
    isProbing = true;
    try {
      await probe();
    } catch {
      giveUpWaiting();
    } finally {
      isProbing = false;
      waited_ticks = 0;
    }
  };
  return () => {
    let isHeard = false;
    for (const state of states) {
      const { heard } = state.connection;
      const isSame = heard === state.heard;
      isHeard ||= heard !== undefined && !isSame;
      state.silent_ticks = heard !== undefined && isSame ? state.silent_ticks + 1 : 0;
      state.heard = heard;
      if (state.silent_ticks > 0) state.connection.setAside();
      if (state.silent_ticks * TICK_ms >= limit_ms) state.connection.drop(silent());
    }
    refuseUnwanted(queries);
    const isAnyoneWaiting =
      queries.length > 0 || connections.some(({ opening, pipelined }) => opening || pipelined > 0);
    waited_ticks = isAnyoneWaiting && !isHeard ? waited_ticks + 1 : 0;
    if (waited_ticks >= PROBE_AFTER_ticks && !isProbing) void ask();
  };
}

/** Answers at once those that need not be sent any more; the driver looks again before it sends one. */
function refuseUnwanted(queries: Pool["queries"]): void {
  for (let left = queries.length; left > 0; left -= 1) {
    const waiting = queries.shift();
    const error = waiting.refuse?.();
    if (error === undefined) queries.push(waiting);
    else waiting.reject(error);
  }
}

const silent = (): Error =>
  Object.assign(new Error("The database does not respond"), { code: DATABASE_SILENT });
