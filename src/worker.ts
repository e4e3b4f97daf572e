/** Composition root of the background: names that follow a renaming, leads that expire. */

import type { Logger } from "pino";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/db.ts";
import { idSource } from "./platform/ids.ts";
import { expireSome, forgetWrongCodes } from "./exchange/index.ts";
import { followOneRename } from "./records/index.ts";

export interface WorkerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

const IDLE_ms = 1000;
const AFTER_FAILURE_ms = 5000;

/** Starts the background work; `stop` lets the piece at hand be finished. */
export async function startWorker({
  db,
  clock,
  log,
}: WorkerDeps): Promise<{ stop(): Promise<void> }> {
  const makeId = idSource(clock);
  /** Each does one piece and says whether there was any. */
  const chores: readonly (() => Promise<boolean>)[] = [
    () => followOneRename(db.sql, makeId),
    () => expireSome(db.sql, { clock, makeId }),
    async () => (await forgetWrongCodes(db.sql)) > 0,
  ];
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        let didWork = false;
        for (const chore of chores) didWork = (await chore()) || didWork;
        if (!didWork) await pause(IDLE_ms, stopping.signal);
      } catch (error) {
        log.warn({ err: error }, "Background work failed; it is tried again");
        await pause(AFTER_FAILURE_ms, stopping.signal);
      }
    }
  };
  const done = run();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
