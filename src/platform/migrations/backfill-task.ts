/** The background work of back-fills. */

import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Db } from "../database/index.ts";
import { addBackfills, runBatch } from "./backfill.ts";
import { readBackfills } from "./backfill-state.ts";
import { type Migrations, ownMigrations } from "./steps.ts";

/** How long one task runs batches, so that the worker also does its other work. */
const TASK_ms = 1_000;
const LOG_ms = 10_000;

/**
 * Returns the task that runs the program's back-fills, one after the other. It pauses after each batch for as long as
 * the batch took, so that it uses at most half of a connection's time. It returns false if there is nothing to do. A
 * process of an earlier release that starts afterwards makes a back-fill start again.
 */
export function backfillTask(
  db: Db,
  log: Pick<Logger, "info">,
  { backfills }: Pick<Migrations, "backfills"> = ownMigrations(),
): () => Promise<boolean> {
  let isAdded = false;
  let loggedAt_ms = -Infinity;
  const logProgress = async (): Promise<void> => {
    if (performance.now() - loggedAt_ms < LOG_ms) return;
    loggedAt_ms = performance.now();
    for (const state of await readBackfills(db)) {
      if (!state.is_finished) log.info(state, "Back-fill");
    }
  };
  return async () => {
    if (backfills.length === 0) return false;
    if (!isAdded) await addBackfills(db, backfills);
    isAdded = true;
    const states = await readBackfills(db);
    const isFinished = (wanted: string): boolean =>
      states.some(({ name, is_finished }) => name === wanted && is_finished);
    const backfill = backfills.find(({ name }) => !isFinished(name));
    if (backfill === undefined) return false;
    const end_ms = performance.now() + TASK_ms;
    while (performance.now() < end_ms) {
      const start_ms = performance.now();
      const result = await runBatch(db, backfill);
      if (result === "finished") {
        log.info({ name: backfill.name }, "The back-fill is finished");
        return true;
      }
      if (result !== "more") return false;
      await logProgress();
      await delay(performance.now() - start_ms);
    }
    return true;
  };
}
