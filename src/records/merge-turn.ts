/**
 * The transaction of a merge, or of its undoing. It holds many records, and who changes one of them may
 * hold one that it wants and wait for one that it holds. So it gives way: of two who wait for each other
 * PostgreSQL ends the one that has waited for a second (deadlock_timeout), and that is never a PATCH.
 * For records a merge waits less than that, counted from the first that it holds; for those that refer
 * to them it does not wait at all. Whatever it does not get in time, it lets go of all and begins anew.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Scope } from "../audit/index.ts";
import { isContended, transaction, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { RecordType } from "./define.ts";
import { holdStored, type Stored } from "./store.ts";

const RECORDS_WAIT_ms = 400;
/** How long one waits for another merge of its tenant: there is one at a time. */
const TURN_WAIT_ms = 5000;
const ATTEMPTS = 12;
const PAUSE_MAX_ms = 500;

/** Runs `work` when it is its turn. Throws 409 where the records are too crowded. */
export async function inTurn<T>(scope: Scope, work: (within: Scope<Tx>) => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await transaction(scope.db, async (tx) => {
        await limit(tx, "lock_timeout", TURN_WAIT_ms);
        await tx`select pg_advisory_xact_lock(hashtextextended(${`merge ${scope.tenantId}`}, 0))`;
        // For what is waited for beside records: an external id that somebody is about to store.
        await limit(tx, "lock_timeout", RECORDS_WAIT_ms);
        const done = await work({ ...scope, db: tx });
        await tx`set local lock_timeout to default`;
        return done;
      });
    } catch (error) {
      if (!isContended(error)) throw error;
      await delay(Math.random() * Math.min(20 * 2 ** attempt, PAUSE_MAX_ms));
    }
  }
  const detail = "The records are being changed by others; try again";
  throw new AppError("conflict", { detail });
}

/** Holds the records that a merge is about, all of them within the time that it may wait. */
export async function holdRecords(
  scope: Scope<Tx>,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored>> {
  await limit(scope.db, "statement_timeout", RECORDS_WAIT_ms);
  const held = await holdStored(scope, type, ids);
  await scope.db`set local statement_timeout to default`;
  return held;
}

const limit = (tx: Tx, setting: "lock_timeout" | "statement_timeout", ms: number) =>
  tx`select set_config(${setting}, ${String(ms)}, true)`;
