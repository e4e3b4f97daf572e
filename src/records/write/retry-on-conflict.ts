/** Writes that first look what is there: repeated if others wrote in between. */

import {
  ChangedByOthers,
  Crowded,
  isDuplicate,
  isPassing,
  retry,
  type Tx,
  untilFree,
} from "../../platform/database/index.ts";
import type { Values } from "../shape/index.ts";
import { conflictOf } from "./write.ts";
import { inTransaction, isWriterInTx, type Writer } from "./writer.ts";

const ATTEMPTS = 5;

/** What is done about a unique value that is another record's. */
export interface OnConflict {
  /** Whether the value may be free, or be what is looked for, at the next attempt. */
  readonly looksAgain: boolean;
  /** The values that a 409 names; without them it says that others change the record. */
  readonly values?: Values;
}

/**
 * Runs `work` in a transaction, and again if it returns undefined, or fails in a way that may pass. Throws
 * 409 if it never succeeds. It waits for what others hold outside of a transaction; inside of one that is
 * given, its owner does (HeldByOthers).
 */
export async function retryOnConflict<T>(
  writer: Writer,
  { looksAgain, values }: OnConflict,
  work: (within: Writer<Tx>) => Promise<T | undefined>,
): Promise<T> {
  const attemptOnce = () => inTransaction(writer, work);
  const attempt = async (): Promise<T> => {
    const { scope } = writer;
    const done = await (isWriterInTx(writer) ? attemptOnce() : untilFree(scope.db, attemptOnce));
    if (done === undefined) throw new ChangedByOthers();
    return done;
  };
  const mayPass = (error: unknown) =>
    error instanceof ChangedByOthers || (isDuplicate(error) ? looksAgain : isPassing(error));
  try {
    return await retry(attempt, { mayPass, attempts: ATTEMPTS });
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw isDuplicate(error) && values ? await conflictOf(writer, [values]) : new Crowded();
  }
}
