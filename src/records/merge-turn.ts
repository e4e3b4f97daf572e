/**
 * The transaction of a merge, or of its undoing. In a tenant there is one at a time, and it gives way:
 * it holds many records and waits for more, and who changes one of them may hold one and wait for
 * another.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Scope } from "../audit/index.ts";
import { isContended, transaction, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";

/**
 * How long a merge waits for a record. Less than PostgreSQL's deadlock_timeout (1 s): of two who wait
 * for each other it is the merge that begins anew, and nobody's PATCH that fails.
 */
const RECORD_WAIT_ms = 400;
/** How long it waits for another merge of the tenant. */
const TURN_WAIT_ms = 5000;
const ATTEMPTS = 8;

/** Runs `work` when it is its turn. Throws 409 where the records are too crowded. */
export async function inTurn<T>(scope: Scope, work: (within: Scope<Tx>) => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await transaction(scope.db, async (tx) => {
        await waitAtMost(tx, TURN_WAIT_ms);
        await tx`select pg_advisory_xact_lock(hashtextextended(${`merge ${scope.tenantId}`}, 0))`;
        await waitAtMost(tx, RECORD_WAIT_ms);
        const done = await work({ ...scope, db: tx });
        await tx`set local lock_timeout to default`;
        return done;
      });
    } catch (error) {
      if (!isContended(error)) throw error;
      await delay(Math.random() * 20 * 2 ** attempt);
    }
  }
  const detail = "The records are being changed by others; try again";
  throw new AppError("conflict", { detail });
}

const waitAtMost = (tx: Tx, ms: number) =>
  tx`select set_config('lock_timeout', ${String(ms)}, true)`;
