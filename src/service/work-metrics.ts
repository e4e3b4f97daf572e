/** Metrics of the background work of a process. */

import { Counter, Gauge, type Registry } from "prom-client";

export interface WorkMetrics {
  /** A kind of work did a piece. */
  readonly done: (work: string) => void;
  readonly failed: () => void;
  /** All kinds of work had their turn. */
  readonly passed: (now_ms: number) => void;
  /** A delivery was attempted; `outcome` is `accepted`, `rejected` or the kind of failure. */
  readonly attempted: (topic: string, outcome: string) => void;
}

/** Adds the metrics to a registry; kinds of work and topics are shown from the start. */
export function addWorkMetrics(
  register: Registry,
  { kinds, topics }: { readonly kinds: readonly string[]; readonly topics: readonly string[] },
): WorkMetrics {
  const registers = [register];
  const pieces = new Counter({
    name: "leadport_background_work_total",
    help: "Pieces of background work that were done, by kind. The kinds `purge_…` delete what is too old.",
    labelNames: ["work"],
    registers,
  });
  for (const work of kinds) pieces.inc({ work }, 0);
  const failures = new Counter({
    name: "leadport_background_failures_total",
    help: "Rounds of background work that failed and were retried.",
    registers,
  });
  const passed = new Gauge({
    name: "leadport_background_last_round_timestamp_seconds",
    help: "When the last round of background work ended, in Unix time.",
    aggregator: "max",
    registers,
  });
  const attempts = new Counter({
    name: "leadport_delivery_attempts_total",
    help: "Attempts to send a delivery, by topic and outcome.",
    labelNames: ["topic", "outcome"],
    registers,
  });
  for (const topic of topics) attempts.inc({ topic, outcome: "accepted" }, 0);
  return {
    done: (work) => pieces.inc({ work }),
    failed: () => failures.inc(),
    passed: (now_ms) => passed.set(now_ms / 1000),
    attempted: (topic, outcome) => attempts.inc({ topic, outcome }),
  };
}
