/**
 * The transaction of a merge, or of its undoing. It holds many records, and a write that changes one of them
 * may hold one that it wants and wait for one that it holds: a deadlock, of which PostgreSQL ends the
 * transaction that has waited for a second (deadlock_timeout). That must never be a PATCH. So a merge waits
 * less than that for records, counted from the first that it holds, and not at all for those that refer to
 * them. If it does not get them in time, it releases everything and tries again.
 */

import { isInTx } from "../../audit/index.ts";
import {
  HeldByOthers,
  isContended,
  run,
  type Tx,
  untilFree,
} from "../../platform/database/index.ts";
import { holdStored, inTransaction, type Stored, type Writer } from "../write/index.ts";

const RECORDS_WAIT_ms = 400;
/** For so long a merge tries: there is one of a tenant at a time, and it gives way to all others. */
const PATIENCE_ms = 8000;

/**
 * Runs `work` when it is its turn. Throws 409 if others hold the records for too long; HeldByOthers in a
 * transaction that is given, for its owner to try again.
 */
export function inTurn<T>(writer: Writer, work: (within: Writer<Tx>) => Promise<T>): Promise<T> {
  const { scope } = writer;
  const attempt = () => inTransaction(writer, (within) => workWithLock(within, work));
  return isInTx(scope) ? attempt() : untilFree(scope.db, attempt, PATIENCE_ms);
}

async function workWithLock<T>(
  within: Writer<Tx>,
  work: (within: Writer<Tx>) => Promise<T>,
): Promise<T> {
  const { db: tx, tenantId } = within.scope;
  const turn = `merge ${tenantId}`;
  const [row] = await run(tx)`
    select pg_try_advisory_xact_lock(hashtextextended(${turn}, 0)) as is_held`;
  if (row?.["is_held"] !== true) throw new HeldByOthers();
  try {
    // For waits other than for records: an external id that another transaction is about to store.
    await limit(tx, "lock_timeout", RECORDS_WAIT_ms);
    const done = await work(within);
    await run(tx)`set local lock_timeout to default`;
    return done;
  } catch (error) {
    throw isContended(error) ? new HeldByOthers() : error;
  }
}

/** Holds the records that a merge is about, all of them within the time that it may wait. */
export async function holdRecords(
  { scope, type }: Writer<Tx>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored>> {
  await limit(scope.db, "statement_timeout", RECORDS_WAIT_ms);
  const held = await holdStored(scope, type, ids);
  await run(scope.db)`set local statement_timeout to default`;
  return held;
}

const limit = (tx: Tx, setting: "lock_timeout" | "statement_timeout", ms: number) =>
  run(tx)`select set_config(${setting}, ${String(ms)}, true)`;
