/** Retries writes that read the current state first, if others wrote in between. */

import {
  ChangedByOthers,
  WriteConflict,
  isDuplicate,
  isRetriable,
  retry,
  type Tx,
  retryWhileLocked,
} from "../../platform/database/index.ts";
import type { Values } from "../shape/index.ts";
import { conflictOf } from "./write.ts";
import { inTransaction, isWriterInTx, type Writer } from "./writer.ts";

const ATTEMPTS = 5;

/** How to handle a unique value that is taken. */
export interface OnConflict {
  /** Whether the value may be free, or belong to the wanted record, at the next attempt. */
  readonly isRetried: boolean;
  /** The values to include in a 409. Without them, it states that others are changing the record. */
  readonly values?: Values;
}

/**
 * Runs `work` in a transaction, and again if it returns undefined or fails for a temporary reason.
 * Throws 409 if it never succeeds. Outside a transaction, it waits for other transactions' locks.
 * Inside one, it throws LockedByOthers, and the transaction's owner has to wait.
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
