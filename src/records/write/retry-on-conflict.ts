/** Writes that first look what is there: run anew where others wrote in between. */

import { setTimeout as delay } from "node:timers/promises";
import { isInTx, type Scope } from "../../audit/index.ts";
import {
  crowded,
  isDuplicate,
  isPassing,
  transaction,
  type Tx,
  untilFree,
} from "../../platform/database/index.ts";
import type { AppError } from "../../platform/errors/index.ts";

const ATTEMPTS = 5;

/** What is known of failures that another look may mend (`isPassing`). */
export interface Failures {
  /** Whether a value that is another's may be free, or be what is looked for, at the next look. */
  readonly looksAgain: boolean;
  /** What a value that is another's is told as. */
  readonly conflict?: () => Promise<AppError>;
}

/**
 * Runs `work` in a transaction, and again where it finds nothing to stand on (undefined), or fails in a
 * way that another look may mend. Throws 409 where it never succeeds. What others hold is waited for
 * outside of a transaction: of one that is given, by who gave it (HeldByOthers).
 */
export async function retryOnConflict<T>(
  scope: Scope,
  { looksAgain, conflict }: Failures,
  work: (within: Scope<Tx>) => Promise<T | undefined>,
): Promise<T> {
  const attemptOnce = () => transaction(scope.db, (db) => work({ ...scope, db }));
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await (isInTx(scope) ? attemptOnce() : untilFree(scope.db, attemptOnce));
      if (done !== undefined) return done;
      if (attempt === ATTEMPTS) throw crowded();
    } catch (error) {
      const isOver = attempt === ATTEMPTS || (isDuplicate(error) && !looksAgain);
      if (!isPassing(error)) throw error;
      if (isOver) throw isDuplicate(error) && conflict ? await conflict() : crowded();
    }
    await delay(Math.random() * 2 ** attempt);
  }
}
