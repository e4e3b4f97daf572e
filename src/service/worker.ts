/** Composition root of the background work: deliveries, events, renames, expiry and purges. */

import { setTimeout as sleep } from "node:timers/promises";
import { inBackground } from "../platform/admission/index.ts";
import { idSource } from "../platform/clock/index.ts";
import { createHorizon, isUnavailable, separateConnection } from "../platform/database/index.ts";
import { deleteOldResponses } from "../platform/operations/index.ts";
import { createSealer } from "../platform/secrets/index.ts";
import { type Config, erasureLogPath } from "../settings/index.ts";
import { createMeasuring, forgetAttempts, forgetRequestCounts } from "../access/index.ts";
import { createQueue, deleteOldDeliveries, startDeliveries } from "../delivery/index.ts";
import { eventLanes, eventTopics, startDispatch } from "../events/index.ts";
import { exchangeTopics, expireSome, pushedLeadViews } from "../exchange/index.ts";
import { deleteExpired } from "../people/index.ts";
import {
  continueErasure,
  createErasureLog,
  createRetention,
  forgetReports,
  logRevocations,
} from "../privacy/index.ts";
import { createRenaming, forgetMerges, RECORD_TABLES } from "../records/index.ts";
import { deleteOldOutcomes } from "../system/index.ts";
import { removeSomeDeleted } from "../tenants/index.ts";
import type { AppDeps } from "./app.ts";
import { startUnlessHeld } from "./held-deliveries.ts";
import { addWorkMetrics } from "./work-metrics.ts";

/** If `register` is omitted, there are no metrics. */
type WorkerDeps = Pick<
  AppDeps,
  "db" | "clock" | "log" | "keys" | "outgoing" | "register" | "tracing"
> & {
  readonly config: Pick<Config, "deliveryRetention_days"> & Partial<Config>;
};

const IDLE_ms = 1000;
const AFTER_FAILURE_ms = 5000;

/** Starts the background work. `stop` waits until the current task is finished. */
export const startWorker = (deps: WorkerDeps): Promise<{ stop(): Promise<void> }> =>
  inBackground(() => start(deps));

async function start(deps: WorkerDeps): Promise<{ stop(): Promise<void> }> {
  const { db, clock, log, config, keys, outgoing, register, tracing } = deps;
  const makeId = idSource(clock);
  const { maxRecords = 0, maxBytes = 0 } = config;
  const sealer = createSealer(keys);
  const logPath = erasureLogPath(config);
  const erasureLog = logPath === undefined ? undefined : createErasureLog(logPath, keys, sealer);
  /** Each of these functions performs one task and returns false if nothing was due. */
  const works: Readonly<Record<string, () => Promise<boolean>>> = {
    follow_rename: createRenaming(db.sql, makeId),
    expire_pushed_leads: () => expireSome(db.sql, { clock, makeId }),
    purge_wrong_attempts: async () => (await forgetAttempts(db.sql)) > 0,
    purge_request_counts: async () => (await forgetRequestCounts(db.sql)) > 0,
    purge_idempotency_keys: () => deleteOldResponses(db.sql),
    purge_sessions_and_links: () => deleteExpired(db.sql, clock),
    erase_persons: () => continueErasure(db.sql, { clock, makeId, sealer, erasureLog }),
    log_revocations: () => logRevocations(db.sql, erasureLog),
    apply_retention: createRetention(db.sql, { clock, makeId }),
    purge_person_reports: () => forgetReports(db.sql, clock),
    purge_merges: () => forgetMerges(db.sql, clock),
    purge_request_outcomes: async () => (await deleteOldOutcomes(db.sql, clock)) > 0,
    delete_tenants: () => removeSomeDeleted(db.sql, clock),
    purge_deliveries: () =>
      deleteOldDeliveries(db.sql, { clock, days: config.deliveryRetention_days }),
    measure_usage: createMeasuring(db.sql, RECORD_TABLES, { maxRecords, maxBytes }),
  };
  const pushed = pushedLeadViews(clock);
  const topics = {
    ...exchangeTopics({ clock, makeId, sealer }),
    ...eventTopics({ clock, makeId, sealer, pushed }),
  };
  const shown = { kinds: Object.keys(works), topics: Object.keys(topics) };
  const metrics = register && addWorkMetrics(register, shown);
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  /**
   * Attempts each task once, even if others fail. If the database is unavailable, the round does not count as passed.
   * Returns how long to pause before the next round.
   */
  const round = async (): Promise<number> => {
    let didWork = false;
    let hasFailed = false;
    let isUp = true;
    for (const [name, work] of Object.entries(works)) {
      if (signal.aborted) return 0;
      try {
        if (!(await work())) continue;
        didWork = true;
        metrics?.done(name);
      } catch (error) {
        hasFailed = true;
        isUp = !isUnavailable(error);
        log.warn({ err: error, work: name }, "Background work failed; it will be retried");
        if (!isUp) break;
      }
    }
    if (hasFailed) metrics?.failed();
    if (isUp) metrics?.passed(clock.now_ms());
    if (hasFailed) return AFTER_FAILURE_ms;
    return didWork ? 0 : IDLE_ms;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) await pause(await round());
  };
  const done = run();
  const note = (error: unknown) => log.warn({ err: error }, "The delivery queue failed");
  const queue = createQueue({ sql: db.sql, supervise: false, note });
  // Use a separate connection, because the horizon's queries must not wait for the transactions that they observe.
  const connection = separateConnection(db.sql);
  const horizon = createHorizon(connection);
  const sending = startUnlessHeld(db.sql, { signal, log }, () => {
    const deliveries = startDeliveries({
      topics,
      lanes: eventLanes,
      outgoing,
      sql: db.sql,
      clock,
      makeId,
      log,
      tracing,
      attempted: metrics?.attempted,
    });
    const dispatch = startDispatch({ db, clock, makeId, queue, pushed, horizon, log, tracing });
    return async () => {
      await Promise.all([deliveries.stop(), dispatch.stop()]);
    };
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([done, sending.stop()]);
      await Promise.all([queue.close(), connection.end({ timeout: 1 })]);
    },
  };
}
