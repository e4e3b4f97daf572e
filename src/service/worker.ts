/** Composition root of the background work: the modules' tasks, deliveries and events. */

import { startDeliveries } from "../delivery/index.ts";
import { startDispatch } from "../events/index.ts";
import { inBackground } from "../platform/admission/index.ts";
import { RECORD_TABLES } from "../records/types/index.ts";
import type { Config } from "../settings/index.ts";
import type { AppDeps } from "./app-deps.ts";
import { startUnlessHeld } from "./held-deliveries.ts";
import { createTopics, createWorks, PARTICIPANTS, TOPIC_NAMES } from "./modules.ts";
import { repeat } from "./rounds.ts";
import { createSharedServices } from "./shared-services.ts";
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
  const { config, register, tracing } = deps;
  const shared = createSharedServices(deps);
  const { sql, clock, log } = shared;
  const { deliveryRetention_days } = config;
  const works = createWorks({
    ...shared,
    participants: deps.participants ?? PARTICIPANTS,
    recordTables: RECORD_TABLES,
    deliveryRetention_days,
  });
  const shown = { kinds: Object.keys(works), topics: TOPIC_NAMES };
  const metrics = register && addWorkMetrics(register, shown);
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = repeat(works, { signal, clock, log, metrics });
  const sending = startUnlessHeld(sql, { signal, log }, () => {
    const attempted = metrics?.attempted;
    const deliveries = startDeliveries({ ...shared, ...createTopics(shared), tracing, attempted });
    const dispatch = startDispatch({ ...shared, tracing });
    return async () => {
      await Promise.all([deliveries.stop(), dispatch.stop()]);
    };
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([done, sending.stop()]);
      await shared.closeShared();
    },
  };
}
