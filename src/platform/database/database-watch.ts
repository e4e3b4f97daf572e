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
import { DatabaseError, type Pool, type Session } from "../pool/index.ts";
import type { Db } from "./tx.ts";
import { run } from "./statement.ts";
import { codeOf } from "../errors/index.ts";

const TICK_ms = 200;
/** A probe is sent when none of the pools has received any data for this long. */
const PROBE_AFTER_ticks = 2;
/** Sent statements fail when neither a pool nor the probe has received anything for this long. */
const SENT_MAX_ticks = PROBE_AFTER_ticks + 5_000 / TICK_ms;

/** The error code of statements that fail because the database is silent. See `isUnavailable`. */
export const DATABASE_SILENT = "DATABASE_SILENT";

/** The gate where statements wait for the pool. `giveUp` also fails reads that are already running. */
type Waiters = Pick<Gate, "giveUp">;

export type Watch = ReturnType<typeof createWatch>;

/**
 * Watches pools. Statements fail if the server has not completed or canceled them within `limit_ms`, and probes if they
 * take longer than `probe_ms`.
 */
export function createWatch(probe: Db, itsPool: Pool, probe_ms: number, limit_ms: number) {
  const probePool = new WatchedPool(itsPool, probe_ms);
  const pools = new Map<Pool, WatchedPool>();
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
      if (error instanceof DatabaseError) noteResponse();
      else if (silent_ticks > 0) {
        isSilent = codeOf(error) === DATABASE_SILENT;
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
    add: (pool: Pool, before?: Waiters, most_ms = limit_ms) =>
      void pools.set(pool, new WatchedPool(pool, most_ms, before)),
    remove: (pool: Pool) => pools.delete(pool),
    /** Returns the error that new statements fail with while the database is silent, and otherwise undefined. */
    silence: () => (isSilent ? silent() : undefined),
    close: () => clearInterval(timer),
  };
}

/** The state of a session at the last tick, and for how many ticks it has been silent. */
interface State {
  readonly heard: number;
  readonly isExpecting: boolean;
  readonly silent_ticks: number;
}

class WatchedPool {
  readonly #pool: Pool;
  readonly #limit_ms: number;
  readonly #before: Waiters | undefined;
  #states: ReadonlyMap<Session, State> = new Map();

  constructor(pool: Pool, limit_ms: number, before?: Waiters) {
    this.#pool = pool;
    this.#limit_ms = limit_ms;
    this.#before = before;
  }

  /**
   * Call this on every tick. Fails statements that have exceeded their limit. Returns whether
   * responses are due, and whether anything has arrived since the last tick.
   */
  check(): { readonly isExpecting: boolean; readonly isHeard: boolean } {
    let isExpecting = this.#pool.waiting > 0;
    let isHeard = false;
    const states = new Map<Session, State>();
    for (const session of this.#pool.sessions) {
      const last = this.#states.get(session);
      const wasExpected = session.isExpecting && last?.isExpecting === true;
      const hasGrown = wasExpected && session.heard !== last.heard;
      const silent_ticks = wasExpected && !hasGrown ? last.silent_ticks + 1 : 0;
      states.set(session, {
        heard: session.heard,
        isExpecting: session.isExpecting,
        silent_ticks,
      });
      isExpecting ||= session.isExpecting;
      isHeard ||= hasGrown;
      if (silent_ticks * TICK_ms >= this.#limit_ms) session.drop(silent());
    }
    this.#states = states;
    this.#pool.refuseUnwanted();
    return { isExpecting, isHeard };
  }

  giveUpQueued(): void {
    this.#before?.giveUp(silent);
    this.#pool.failWaiting(silent);
  }

  /** Fails the statements that are waiting for a connection or for another statement. */
  giveUpWaiting(): void {
    this.giveUpQueued();
    for (const session of this.#pool.sessions) {
      if (session.isOpening || session.inFlight > 1) session.drop(silent());
    }
  }

  giveUpSent(): void {
    for (const session of this.#pool.sessions) if (session.isExpecting) session.drop(silent());
  }
}

const silent = (): Error =>
  Object.assign(new Error("The database does not respond"), { code: DATABASE_SILENT });
