/** Writes that others prevent for a moment: they are tried again after a pause. */

import { setTimeout as delay } from "node:timers/promises";
import type { Db, Tx } from "./tx.ts";
import { AppError } from "../errors/index.ts";
import { refuseAbandoned } from "./start-guard.ts";

export interface RetryOptions {
  /** Whether a failure may be gone at the next attempt. */
  readonly mayPass: (error: unknown) => boolean;
  readonly attempts?: number;
  /** No attempt starts later than this. */
  readonly patience_ms?: number;
  /** The longest pause after an attempt; the first is 1. */
  readonly pause_ms?: (attempt: number) => number;
}

/**
 * Runs `work` until it succeeds, fails in a way that does not pass, or was tried long enough: then with its
 * last error. Pauses are random, so that of many that wait each gets its turn.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  {
    mayPass,
    attempts = Infinity,
    patience_ms = Infinity,
    pause_ms = (attempt) => 2 ** attempt,
  }: RetryOptions,
): Promise<T> {
  const end_ms = performance.now() + patience_ms;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const isOver = attempt === attempts || performance.now() > end_ms;
      if (isOver || !mayPass(error)) throw error;
    }
    await delay(Math.random() * pause_ms(attempt));
  }
}

/** The 409 of a write that others prevented each time. */
export class Crowded extends AppError {
  constructor() {
    super("conflict", { detail: "The record is being changed by others; try again" });
  }
}

/** What a write has read is out of date: it must read again. */
export class ChangedByOthers extends Crowded {}

/** Thrown inside a transaction, which it ends: another transaction holds what this one wants. */
export class HeldByOthers extends Crowded {}

const PATIENCE_ms = 20_000;
const PAUSE_MAX_ms = 400;

/**
 * Runs `work`, a separate transaction, until nobody holds what it wants; throws 409 if that takes too long.
 * It waits without a connection: a few that wait inside of a transaction for one tenant's records would
 * take the connections from all tenants. It ends with the connection of the request, if `db` is that request's.
 */
export const untilFree = <T>(
  db: Db | Tx,
  work: () => Promise<T>,
  patience_ms = PATIENCE_ms,
): Promise<T> =>
  retry(
    (attempt) => {
      if (attempt > 1) refuseAbandoned(db);
      return work();
    },
    {
      mayPass: (error) => error instanceof HeldByOthers,
      patience_ms,
      pause_ms: (attempt) => Math.min(5 * 1.5 ** (attempt - 1), PAUSE_MAX_ms),
    },
  );
