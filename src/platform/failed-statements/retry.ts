/** Retries writes that conflict with concurrent writes. */

import { setTimeout as delay } from "node:timers/promises";
import { type Db, type Tx, refuseAbandoned } from "../database/index.ts";
import { AppError } from "../errors/index.ts";

export interface RetryOptions {
  /** Whether another attempt may succeed after this error. */
  readonly isRetriable: (error: unknown) => boolean;
  readonly attempts?: number;
  /** No further attempt starts after this many milliseconds. */
  readonly patience_ms?: number;
  /** Returns the maximum pause after an attempt. The first attempt is number 1. */
  readonly pause_ms?: (attempt: number) => number;
}

/**
 * Runs `work` until it succeeds. Rethrows its error if the error is not retriable or a limit has been reached. Pauses
 * are random so that competing writers do not collide again.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  {
    isRetriable,
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
      if (isOver || !isRetriable(error)) throw error;
    }
    await delay(Math.random() * pause_ms(attempt));
  }
}

/** The 409 error for a write that changed nothing, because every attempt conflicted with concurrent writes. */
export class WriteConflict extends AppError {
  constructor() {
    const detail = "Other requests are changing this record; try again";
    super("conflict", { detail, headers: { "retry-after": "1" } });
  }
}

/** Thrown if the data that a write is based on has changed. The write must read the data again. */
export class ChangedByOthers extends WriteConflict {}

/** Thrown to end a transaction that needs a lock that another transaction holds. */
export class LockedByOthers extends WriteConflict {}

const PATIENCE_ms = 20_000;
const PAUSE_MAX_ms = 400;

/**
 * Runs `work`, a separate transaction, until it gets its locks. Throws 409 if that takes too long.
 * No connection is used between attempts. Otherwise, a few transactions that wait for one tenant's
 * records could take all connections away from other tenants. If `db` belongs to a request, the
 * attempts stop when the client disconnects.
 */
export const retryWhileLocked = <T>(
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
      isRetriable: (error) => error instanceof LockedByOthers,
      patience_ms,
      pause_ms: (attempt) => Math.min(5 * 1.5 ** (attempt - 1), PAUSE_MAX_ms),
    },
  );
