/**
 * Waiting without a connection. Who wants what another transaction holds does not wait inside of its
 * own: a few who wait there for one tenant's records would take the connections from all tenants. It
 * tries, lets go of everything, pauses, and begins anew.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Db, Tx } from "./tx.ts";
import { AppError } from "../errors/index.ts";
import { refuseAbandoned } from "./start-guard.ts";

/** Thrown inside a transaction, which it ends: somebody else holds what this one wants. */
export class HeldByOthers extends Error {
  constructor() {
    super("Somebody else holds what this transaction wants");
  }
}

const PATIENCE_ms = 20_000;
const PAUSE_MAX_ms = 400;

/** The 409 of those who never got their turn. */
export const crowded = (): AppError =>
  new AppError("conflict", { detail: "The record is being changed by others; try again" });

/**
 * Runs `work`, a transaction of its own, until nobody holds what it wants; the pauses grow and are
 * random, so that of many who wait each gets its turn. Throws 409 where that takes too long. It ends
 * with the connection of the request, if `db` is that request's.
 */
export async function untilFree<T>(
  db: Db | Tx,
  work: () => Promise<T>,
  patience_ms = PATIENCE_ms,
): Promise<T> {
  const end_ms = performance.now() + patience_ms;
  for (let pause_ms = 5; ; pause_ms = Math.min(pause_ms * 1.5, PAUSE_MAX_ms)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HeldByOthers)) throw error;
      if (performance.now() > end_ms) throw crowded();
    }
    await delay(Math.random() * pause_ms);
    refuseAbandoned(db);
  }
}
