/**
 * Detects a silent database: one that is stopped or unreachable, or whose disk hangs. The driver alone would wait
 * forever. When responses are due but nothing arrives, a probe is sent on a separate connection. If the database
 * responds to the probe, it is merely busy, and nothing changes. If the probe fails, the following fail immediately:
 * reads, statements that are waiting for a connection, and all later statements. Statements that have been sent fail a
 * few seconds later. A statement also fails if it exceeds the time limit that the database should have enforced.
 *
 * Silence is counted in ticks of one timer, so a blocked event loop counts as a single tick.
 */

import type { Gate } from "../admission/index.ts";
import type { Db } from "./tx.ts";
import { run } from "./statement.ts";

const TICK_ms = 200;
/** A probe is sent when none of the pools has received any data for this long. */
const PROBE_AFTER_ticks = 2;
/** Sent statements fail when neither a pool nor the probe has received anything for this long. */
const SENT_MAX_ticks = PROBE_AFTER_ticks + 5_000 / TICK_ms;

/** The error code of statements that fail because the database is silent. See `isUnavailable`. */
export const DATABASE_SILENT = "DATABASE_SILENT";

/** The parts of a pool that our driver patch exposes. */
export interface Pool {
  readonly connections: readonly Connection[];
  readonly queries: {
    readonly length: number;
    readonly shift: () => Waiting;
    readonly push: (waiting: Waiting) => void;
  };
}

interface Connection {
  /** Increases whenever the server sends data. Undefined if no response is due. */
  readonly heard: number | undefined;
  /** Set while a transaction uses the connection. */
  readonly reserved?: unknown;
  /** Whether the connection is currently being opened in order to send a statement. */
  readonly opening: boolean;
  /** The number of statements that have been sent to the server but are queued behind the running one. */
  readonly pipelined: number;
  /** Prevents statements of other requests from being queued on this connection behind the running ones. */
  readonly setAside: () => void;
  readonly drop: (error: Error) => void;
}

interface Waiting {
  readonly reject: (error: Error) => void;
  readonly refuse?: () => Error | undefined;
}

/** The gate where statements wait for the driver. `giveUp` also fails reads that the driver is already running. */
type Waiters = Pick<Gate, "giveUp">;

export type Watch = ReturnType<typeof createWatch>;

/** Watches pools. `probe` is a pool with one connection. A probe fails if it takes longer than `limit_ms`. */
export function createWatch(probe: Db, limit_ms: number) {
  const probePool = new WatchedPool(probe, limit_ms);
  const pools = new Map<Db, WatchedPool>();
  /** The number of ticks during which responses were due but no data arrived. */
  let silent_ticks = 0;
  /** Whether the last probe got no response and nothing has arrived since. */
  let isSilent = false;
  let isProbing = false;

  const noteResponse = (): void => {
    silent_ticks = 0;
    isSilent = false;
  };
  const giveUpWaiting = (): void => {
    probePool.giveUpQueued();
    for (const pool of pools.values()) pool.giveUpWaiting();
  };
  const sendProbe = async (): Promise<void> => {
    isProbing = true;
    try {
      await run(probe)`select 1`;
      noteResponse();
    } catch (error) {
      // If the server refuses the probe, for example because it has no free connections, it is still responding.
      if ((error as Error).name === "PostgresError") noteResponse();
      else if (silent_ticks > 0) {
        isSilent = (error as { readonly code?: unknown }).code === DATABASE_SILENT;
        giveUpWaiting();
      }
    } finally {
      isProbing = false;
    }
  };
  const tick = (): void => {
    const checks = [probePool, ...pools.values()].map((pool) => pool.check());
    const isExpecting = isSilent || checks.some((check) => check.isExpecting);
    if (checks.some((check) => check.isHeard)) noteResponse();
    else silent_ticks = isExpecting ? silent_ticks + 1 : 0;
    if (isSilent) giveUpWaiting();
    if (silent_ticks >= SENT_MAX_ticks) for (const pool of pools.values()) pool.giveUpSent();
    // Continue to probe a silent database even if no response is due, so that its recovery is noticed immediately.
    if ((isSilent || silent_ticks >= PROBE_AFTER_ticks) && !isProbing) void sendProbe();
  };
  const timer = setInterval(tick, TICK_ms).unref();
  return {
    /** Watches a pool whose statements the server completes or cancels within `most_ms`. */
    add: (pool: Db, most_ms: number, before?: Waiters) =>
      void pools.set(pool, new WatchedPool(pool, most_ms, before)),
    remove: (pool: Db) => pools.delete(pool),
    /** Returns the error that new statements fail with while the database is silent, and otherwise undefined. */
    silence: () => (isSilent ? silent() : undefined),
    close: () => clearInterval(timer),
  };
}

/** The state of a connection at the last tick, and for how many ticks it has been silent. */
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

  /**
   * Call this on every tick. Fails statements that have exceeded their limit. Returns whether
   * responses are due, and whether anything has arrived since the last tick.
   */
  check(): { readonly isExpecting: boolean; readonly isHeard: boolean } {
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

  /** Fails the statements that are waiting for a connection or for another statement. */
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

/** Fails statements that are no longer needed. The driver checks each remaining one again before sending it. */
function refuseUnwanted(queries: Pool["queries"]): void {
  for (let remaining = queries.length; remaining > 0; remaining -= 1) {
    const waiting = queries.shift();
    const error = waiting.refuse?.();
    if (error === undefined) queries.push(waiting);
    else waiting.reject(error);
  }
}

const silent = (): Error =>
  Object.assign(new Error("The database does not respond"), { code: DATABASE_SILENT });
