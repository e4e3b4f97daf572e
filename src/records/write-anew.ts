/** Writes that first look what is there: run anew where others wrote in between. */

import { setTimeout as delay } from "node:timers/promises";
import type { Scope } from "../audit/index.ts";
import { isPassing, transaction, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";

const ATTEMPTS = 5;

/**
 * Runs `work` in a transaction, and again where it finds nothing to stand on (undefined), or fails in a
 * way that another look may mend. Throws 409 where it never succeeds.
 */
export async function writeAnew<T>(
  scope: Scope,
  work: (within: Scope<Tx>) => Promise<T | undefined>,
  isMendable: (error: unknown) => boolean = isPassing,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await transaction(scope.db, (db) => work({ ...scope, db }));
      if (done !== undefined) return done;
      if (attempt === ATTEMPTS) throw crowded();
    } catch (error) {
      if (!isMendable(error)) throw error;
      if (attempt === ATTEMPTS) throw isPassing(error) ? crowded() : error;
    }
    await delay(Math.random() * 2 ** attempt);
  }
}

/** A record that others write at the same moment, again and again. */
const crowded = (): AppError =>
  new AppError("conflict", { detail: "The record is being changed by others; try again" });
