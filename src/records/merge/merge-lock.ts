/**
 * The transaction of a merge, or of its undoing. It holds many records, and who changes one of them may
 * hold one that it wants and wait for one that it holds. So it gives way: of two who wait for each other
 * PostgreSQL ends the one that has waited for a second (deadlock_timeout), and that is never a PATCH.
 * For records a merge waits less than that, counted from the first that it holds; for those that refer
 * to them it does not wait at all. Whatever it does not get in time, it lets go of all and begins anew.
 */

import { isInTx, type Scope } from "../../audit/index.ts";
import {
  HeldByOthers,
  isContended,
  run,
  transaction,
  type Tx,
  untilFree,
} from "../../platform/database/index.ts";
import type { RecordType } from "../types/index.ts";
import { holdStored, type Stored } from "../write/index.ts";

const RECORDS_WAIT_ms = 400;
/** For so long a merge tries: there is one of a tenant at a time, and it gives way to all others. */
const PATIENCE_ms = 8000;

/**
 * Runs `work` when it is its turn. Throws 409 where the records are too crowded; in a transaction that
 * is given HeldByOthers, for the one who gave it to begin anew.
 */
export function inTurn<T>(scope: Scope, work: (within: Scope<Tx>) => Promise<T>): Promise<T> {
  const attempt = () => transaction(scope.db, (tx) => attemptIn({ ...scope, db: tx }, work));
  return isInTx(scope) ? attempt() : untilFree(scope.db, attempt, PATIENCE_ms);
}

async function attemptIn<T>(
  within: Scope<Tx>,
  work: (within: Scope<Tx>) => Promise<T>,
): Promise<T> {
  const { db: tx, tenantId } = within;
  const turn = `merge ${tenantId}`;
  const [row] = await run(tx)`
    select pg_try_advisory_xact_lock(hashtextextended(${turn}, 0)) as is_held`;
  if (row?.["is_held"] !== true) throw new HeldByOthers();
  try {
    // For what is waited for beside records: an external id that somebody is about to store.
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
  scope: Scope<Tx>,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored>> {
  await limit(scope.db, "statement_timeout", RECORDS_WAIT_ms);
  const held = await holdStored(scope, type, ids);
  await run(scope.db)`set local statement_timeout to default`;
  return held;
}

const limit = (tx: Tx, setting: "lock_timeout" | "statement_timeout", ms: number) =>
  run(tx)`select set_config(${setting}, ${String(ms)}, true)`;
