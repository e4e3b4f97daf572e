/**
 * Runs the transaction that performs or undoes a merge. The transaction locks many records, so it can deadlock with a
 * write that holds one of them and waits for another. PostgreSQL then aborts the first transaction that has waited for
 * one second (deadlock_timeout). That must never be a PATCH's transaction. So a merge waits less than a second in total
 * for its records, and does not wait for records that refer to them. If it cannot lock them in time, it releases
 * everything and tries again.
 */

import { isInTx } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import {
  LockedByOthers,
  retryWhileLocked,
  isContended,
} from "../../platform/failed-statements/index.ts";
import { lockStored, inTransaction, type Stored, type Writer } from "../store/index.ts";

const RECORDS_WAIT_ms = 400;
/** How long a merge keeps trying. Each tenant runs only one merge at a time, and merges yield to all other writes. */
const PATIENCE_ms = 8000;

/**
 * Runs `work` while no other merge of the tenant is running. Throws 409 if other transactions hold the records for too
 * long. Inside the caller's transaction, throws LockedByOthers instead, and the caller must retry the transaction.
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
    // Limit all other waits, such as the wait for an external id that another transaction is about to store.
    await limit(tx, "lock_timeout", RECORDS_WAIT_ms);
    const done = await work(within);
    await run(tx)`set local lock_timeout to default`;
    return done;
  } catch (error) {
    throw isContended(error) ? new LockedByOthers() : error;
  }
}

/** Locks a merge's records within the time limit. */
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
