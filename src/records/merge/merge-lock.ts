/**
 * The transaction of a merge, or of undoing one. It locks many records. Another write may have
 * locked one of them and be waiting for a second one, which is a deadlock: PostgreSQL aborts the
 * transaction that has waited for a second (deadlock_timeout). That must never be a PATCH. A merge
 * therefore waits less than that in total for its records, and not at all for records that refer to
 * them. If it does not get them in time, it releases everything and tries again.
 */

import { isInTx } from "../../audit/index.ts";
import {
  LockedByOthers,
  isContended,
  run,
  type Tx,
  retryWhileLocked,
} from "../../platform/database/index.ts";
import { lockStored, inTransaction, type Stored, type Writer } from "../write/index.ts";

const RECORDS_WAIT_ms = 400;
/**
 * How long a merge keeps trying. A tenant has one merge at a time, and a merge gives way to all
 * other writes.
 */
const PATIENCE_ms = 8000;

/**
 * Runs `work` when no other merge is running. Throws 409 if others hold the records for too long.
 * Inside a given transaction, it throws LockedByOthers, and the transaction's owner has to try
 * again.
 */
export function exclusively<T>(
  writer: Writer,
  work: (within: Writer<Tx>) => Promise<T>,
): Promise<T> {
  const { scope } = writer;
  const attempt = () => inTransaction(writer, (within) => workWithLock(within, work));
  return isInTx(scope) ? attempt() : retryWhileLocked(scope.db, attempt, PATIENCE_ms);
}

async function workWithLock<T>(
  within: Writer<Tx>,
  work: (within: Writer<Tx>) => Promise<T>,
): Promise<T> {
  const { db: tx, tenantId } = within.scope;
  const turn = `merge ${tenantId}`;
  const [row] = await run(tx)`
    select pg_try_advisory_xact_lock(hashtextextended(${turn}, 0)) as is_held`;
  if (row?.["is_held"] !== true) throw new LockedByOthers();
  try {
    // Limits waits other than those for records, such as for an external id that another
    // transaction is about to store.
    await limit(tx, "lock_timeout", RECORDS_WAIT_ms);
    const done = await work(within);
    await run(tx)`set local lock_timeout to default`;
    return done;
  } catch (error) {
    throw isContended(error) ? new LockedByOthers() : error;
  }
}

/** Locks the records of a merge within the time limit for waiting. */
export async function lockRecords(
  { scope, type }: Writer<Tx>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored>> {
  await limit(scope.db, "statement_timeout", RECORDS_WAIT_ms);
  const held = await lockStored(scope, type, ids);
  await run(scope.db)`set local statement_timeout to default`;
  return held;
}

const limit = (tx: Tx, setting: "lock_timeout" | "statement_timeout", ms: number) =>
  run(tx)`select set_config(${setting}, ${String(ms)}, true)`;
