/** Composition root of the background: deliveries, names that follow a renaming, leads that expire. */

import type { Logger } from "pino";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/db.ts";
import { forgetAnswers } from "./platform/idempotency.ts";
import { idSource } from "./platform/ids.ts";
import type { MasterKey } from "./platform/master-key.ts";
import type { Outgoing } from "./platform/outgoing.ts";
import { createSealer } from "./platform/sealing.ts";
import { forgetDeliveries, startDeliveries } from "./delivery/index.ts";
import { exchangeTopics, expireSome, forgetWrongCodes } from "./exchange/index.ts";
import { followOneRename } from "./records/index.ts";

export interface WorkerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: { readonly deliveryRetention_days: number };
  readonly keys: MasterKey;
  readonly outgoing: Outgoing;
}

const IDLE_ms = 1000;
const AFTER_FAILURE_ms = 5000;

/** Starts the background work; `stop` lets the piece at hand be finished. */
export async function startWorker({
  db,
  clock,
  log,
  config,
  keys,
  outgoing,
}: WorkerDeps): Promise<{ stop(): Promise<void> }> {
  const makeId = idSource(clock);
  /** Each does one piece and says whether there was any. */
  const chores: readonly (() => Promise<boolean>)[] = [
    () => followOneRename(db.sql, makeId),
    () => expireSome(db.sql, { clock, makeId }),
    async () => (await forgetWrongCodes(db.sql)) > 0,
    () => forgetAnswers(db.sql, clock),
    () => forgetDeliveries(db.sql, { clock, days: config.deliveryRetention_days }),
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
  const topics = exchangeTopics({ clock, makeId, sealer: createSealer(keys) });
  const deliveries = startDeliveries({ topics, outgoing, sql: db.sql, clock, makeId, log });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([done, deliveries.stop()]);
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
