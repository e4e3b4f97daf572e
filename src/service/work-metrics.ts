/** Metrics of a process's background work. */

import { Counter, Gauge, type Registry } from "prom-client";

/** Adds the metrics to a registry. All types of work and all topics are reported from the start, with a value of 0. */
export function addWorkMetrics(
  register: Registry,
  { kinds, topics }: { readonly kinds: readonly string[]; readonly topics: readonly string[] },
) {
  const registers = [register];
  const pieces = new Counter({
    name: "leadport_background_work_total",
    help: "Completed background tasks, by kind. Tasks named `purge_…` delete expired data.",
    labelNames: ["work"],
    registers,
  });
  for (const work of kinds) pieces.inc({ work }, 0);
  const failures = new Counter({
    name: "leadport_background_failures_total",
    help: "Rounds of background work in which a task failed. Failed tasks are retried.",
    registers,
  });
  const passed = new Gauge({
    name: "leadport_background_last_round_timestamp_seconds",
    help: "Unix time when the last round of background work ended.",
    aggregator: "max",
    registers,
  });
  const attempts = new Counter({
    name: "leadport_delivery_attempts_total",
    help: "Delivery attempts, by topic and outcome.",
    labelNames: ["topic", "outcome"],
    registers,
  });
  for (const topic of topics) attempts.inc({ topic, outcome: "accepted" }, 0);
  return {
    done: (work: string) => pieces.inc({ work }),
    failed: () => failures.inc(),
    /** Call it after each round of background work. */
    passed: (now_ms: number) => passed.set(now_ms / 1000),
    /** Call it after an attempt. `outcome` is `accepted`, `rejected` or the kind of failure. */
    attempted: (topic: string, outcome: string) => attempts.inc({ topic, outcome }),
  };
}
