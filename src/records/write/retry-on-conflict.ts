/** Retries writes that first read the current state, if other requests have changed that state in the meantime. */

import type { Tx } from "../../platform/database/index.ts";
import {
  ChangedByOthers,
  WriteConflict,
  retry,
  retryWhileLocked,
  isDuplicate,
  isRetriable,
} from "../../platform/failed-statements/index.ts";
import type { Values } from "../body/index.ts";
import { conflictOf } from "./conflicts.ts";
import { inTransaction, isWriterInTx, type Writer } from "../store/index.ts";

const ATTEMPTS = 5;

/** What to do if a unique value is taken. */
export interface OnConflict {
  /** Whether another attempt may succeed, because by then the value may be free or belong to the intended record. */
  readonly isRetried: boolean;
  /**
   * The values to look up for the 409 error. If omitted, the error says that other requests are changing the record.
   */
  readonly values?: Values;
}

/**
 * Runs `work` in a transaction. Retries it if it returns undefined or fails for a temporary reason. Throws 409 if it
 * never succeeds. Outside a transaction, waits for the locks of other transactions. Inside the caller's transaction,
 * throws LockedByOthers instead, and the caller must wait.
 */
export async function retryOnConflict<T>(
  writer: Writer,
  { isRetried, values }: OnConflict,
  work: (within: Writer<Tx>) => Promise<T | undefined>,
): Promise<T> {
  const attemptOnce = () => inTransaction(writer, work);
  const attempt = async (): Promise<T> => {
    const { scope } = writer;
    const done = await (isWriterInTx(writer)
      ? attemptOnce()
      : retryWhileLocked(scope.db, attemptOnce));
    if (done === undefined) throw new ChangedByOthers();
    return done;
  };
  const mayRetry = (error: unknown) =>
    error instanceof ChangedByOthers || (isDuplicate(error) ? isRetried : isRetriable(error));
  try {
    return await retry(attempt, { isRetriable: mayRetry, attempts: ATTEMPTS });
  } catch (error) {
    if (!isRetriable(error)) throw error;
    throw isDuplicate(error) && values ? await conflictOf(writer, [values]) : new WriteConflict();
  }
}
