/** Composition root of the background work: deliveries, events, renames, expiry and purges. */

import { inBackground } from "../platform/admission/index.ts";
import { idSource } from "../platform/clock/index.ts";
import { createHorizon, separateConnection } from "../platform/database/index.ts";
import { deleteOldResponses } from "../platform/operations/index.ts";
import { createSealer } from "../platform/secrets/index.ts";
import { type Config, erasureLogPath } from "../settings/index.ts";
import { createMeasuring, forgetAttempts, forgetRequestCounts } from "../access/index.ts";
import { createQueue, deleteOldDeliveries, startDeliveries } from "../delivery/index.ts";
import { eventLanes, eventTopics, startDispatch } from "../events/index.ts";
import {
  exchangeParticipants,
  exchangeTopics,
  expireSome,
  pushedLeadViews,
} from "../exchange/index.ts";
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
import { repeat, type Works } from "./rounds.ts";
import { addWorkMetrics } from "./work-metrics.ts";

/** If `register` is omitted, there are no metrics. */
type WorkerDeps = Pick<
  AppDeps,
  "db" | "clock" | "participants" | "log" | "keys" | "outgoing" | "register" | "tracing"
> & {
  readonly config: Pick<Config, "deliveryRetention_days"> & Partial<Config>;
};

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
  const { participants = exchangeParticipants } = deps;
  const works: Works = {
    follow_rename: createRenaming(db.sql, { makeId, participants }),
    expire_pushed_leads: () => expireSome(db.sql, { clock, makeId }),
    purge_wrong_attempts: async () => (await forgetAttempts(db.sql)) > 0,
    purge_request_counts: async () => (await forgetRequestCounts(db.sql)) > 0,
    purge_idempotency_keys: () => deleteOldResponses(db.sql),
    purge_sessions_and_links: () => deleteExpired(db.sql, clock),
    erase_persons: () =>
      continueErasure(db.sql, { clock, makeId, sealer, participants, erasureLog }),
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
  const done = repeat(works, { signal, clock, log, metrics });
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
