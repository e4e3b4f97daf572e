/**
 * Finds out that the database is silent: stopped, behind a dead network, or on a disk that hangs. The
 * driver alone would wait for its responses without end. While statements are expected to be answered and
 * nothing comes, a probe is sent on a separate connection. A database that responds to it is only busy:
 * nothing changes. If the probe fails, the statements that wait for a connection are given up, as are reads
 * and all later statements, and after a few seconds all that has been sent. Each statement is also given up
 * when it has taken longer than the database would let it run.
 *
 * Silence is counted in ticks of one timer, so that an event loop that was blocked counts as one tick.
 */

import type { Gate } from "../admission/index.ts";
import type { Db } from "./tx.ts";
import { run } from "./statement.ts";

const TICK_ms = 200;
/** How long all pools are silent before the probe is sent. */
const PROBE_AFTER_ticks = 2;
/** How long neither a pool nor the probe gets anything before sent statements are given up. */
const SENT_MAX_ticks = PROBE_AFTER_ticks + 5_000 / TICK_ms;

/** The code of the error that statements fail with; `isUnavailable` knows it. */
export const DATABASE_SILENT = "DATABASE_SILENT";

/** What our patch of the driver shows of a pool. */
export interface Pool {
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
  /** Set while a transaction has the connection. */
  readonly reserved?: unknown;
  /** Whether it is being opened, for a statement. */
  readonly opening: boolean;
  /** How many statements were sent behind the one that is under way. */
  readonly pipelined: number;
  /** Sends no other request's statements behind those that are under way. */
  readonly setAside: () => void;
  readonly drop: (error: Error) => void;
}

interface Waiting {
  readonly reject: (error: Error) => void;
  readonly refuse?: () => Error | undefined;
}

/** Where statements wait before the driver gets them; it gives up the reads that the driver has, too. */
type Waiters = Pick<Gate, "giveUp">;

export type Watch = ReturnType<typeof createWatch>;

/** Watches pools with the help of `probe`, a pool of one connection that gives up after `limit_ms`. */
export function createWatch(probe: Db, limit_ms: number) {
  const probePool = new WatchedPool(probe, limit_ms);
  const pools = new Map<Db, WatchedPool>();
  /** For how long something has been expected and nothing has come. */
  let silent_ticks = 0;
  /** Whether the last probe got no response, and nothing has come since. */
  let isSilent = false;
  let isProbing = false;

  const noteSign = (): void => {
    silent_ticks = 0;
    isSilent = false;
  };
  const giveUpWaiting = (): void => {
    probePool.giveUpQueued();
    for (const pool of pools.values()) pool.giveUpWaiting();
  };
  const ask = async (): Promise<void> => {
    isProbing = true;
    try {
      await run(probe)`select 1`;
      noteSign();
    } catch (error) {
      // A server that refuses the probe, as one without free connections does, is there.
      if ((error as Error).name === "PostgresError") noteSign();
      else if (silent_ticks > 0) {
        isSilent = (error as { readonly code?: unknown }).code === DATABASE_SILENT;
        giveUpWaiting();
      }
    } finally {
      isProbing = false;
    }
  };
  const tick = (): void => {
    const looks = [probePool, ...pools.values()].map((pool) => pool.look());
    const isExpecting = isSilent || looks.some((look) => look.isExpecting);
    if (looks.some((look) => look.isHeard)) noteSign();
    else silent_ticks = isExpecting ? silent_ticks + 1 : 0;
    if (isSilent) giveUpWaiting();
    if (silent_ticks >= SENT_MAX_ticks) for (const pool of pools.values()) pool.giveUpSent();
    // Also while nothing is expected: later statements wait again once the database is back.
    if ((isSilent || silent_ticks >= PROBE_AFTER_ticks) && !isProbing) void ask();
  };
  const timer = setInterval(tick, TICK_ms).unref();
  return {
    /** Watches a pool whose statements the server answers or ends within `most_ms`. */
    add: (pool: Db, most_ms: number, before?: Waiters) =>
      void pools.set(pool, new WatchedPool(pool, most_ms, before)),
    remove: (pool: Db) => pools.delete(pool),
    /** The error of what would be sent now, while the database is known to be silent. */
    silence: () => (isSilent ? silent() : undefined),
    close: () => clearInterval(timer),
  };
}

/** A connection as it was at the last tick, and for how many ticks it has been silent. */
interface State {
  readonly connection: Connection;
  heard: number | undefined;
  silent_ticks: number;
}

class WatchedPool {
  readonly #queries: Pool["queries"];
  readonly #states: readonly State[];
  readonly #limit_ms: number;
  readonly #before: Waiters | undefined;

  constructor(db: Db, limit_ms: number, before?: Waiters) {
    const { connections, queries } = db as unknown as Pool;
    this.#queries = queries;
    this.#limit_ms = limit_ms;
    this.#before = before;
    const state = { heard: undefined, silent_ticks: 0 };
    this.#states = connections.map((connection) => ({ ...state, connection }));
  }

  /** To be called at each tick: gives up what is beyond its limit, and returns what has come since. */
  look(): { readonly isExpecting: boolean; readonly isHeard: boolean } {
    let [isExpecting, isHeard] = [this.#queries.length > 0, false];
    for (const state of this.#states) {
      const { heard } = state.connection;
      const wasExpected = heard !== undefined && state.heard !== undefined;
      const hasGrown = wasExpected && heard !== state.heard;
      state.silent_ticks = wasExpected && !hasGrown ? state.silent_ticks + 1 : 0;
      state.heard = heard;
      isExpecting ||= heard !== undefined;
      isHeard ||= hasGrown;
      if (state.silent_ticks > 0) state.connection.setAside();
      if (state.silent_ticks * TICK_ms >= this.#limit_ms) state.connection.drop(silent());
    }
    refuseUnwanted(this.#queries);
    return { isExpecting, isHeard };
  }

  giveUpQueued(): void {
    this.#before?.giveUp(silent);
    while (this.#queries.length > 0) this.#queries.shift().reject(silent());
  }

  /** Gives up the statements that wait for a connection, or behind another one. */
  giveUpWaiting(): void {
    this.giveUpQueued();
    for (const { connection } of this.#states) {
      if (connection.opening || connection.pipelined > 0) connection.drop(silent());
    }
  }

  giveUpSent(): void {
    for (const { connection } of this.#states) {
      if (connection.heard !== undefined) connection.drop(silent());
    }
  }
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
