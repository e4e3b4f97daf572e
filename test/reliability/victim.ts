/** Measures the ordinary user of the service: how long its requests took in a period. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../../bench/statistics.ts";
import { eventually } from "../kit/eventually.ts";
import type { Sample, VictimArguments } from "./victim-process.ts";
import { startMessenger } from "../kit/started.ts";

export interface Latency {
  readonly reads: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** Failed reads and creates, by status or error code. */
  readonly errors: Readonly<Record<string, number>>;
}

export interface Victim {
  /** The durations of requests that were due in a period, whose limits are in milliseconds since the epoch. */
  readonly between: (from_ms: number, to_ms: number) => Promise<Latency>;
  /** Waits for a number of reads. The first requests compile code and fill caches. */
  readonly untilReads: (count: number) => Promise<void>;
}

/** 20 reads and one create per second. */
const EVERY_ms = { read: 50, create: 1000 } as const;

/** Starts the requests. They stop when the test ends. */
export function startVictim(t: TestContext, given: Omit<VictimArguments, "every_ms">): Victim {
  const samples: Sample[] = [];
  const path = join(import.meta.dirname, "victim-process.ts");
  const child = startMessenger(t, path, JSON.stringify({ ...given, every_ms: EVERY_ms }));
  child.on("message", (sample) => samples.push(sample as Sample));
  const between = async (from_ms: number, to_ms: number): Promise<Latency> => {
    await sleep(Math.max(0, to_ms - Date.now()));
    const due = (): Sample[] => samples.filter(({ at_ms }) => at_ms >= from_ms && at_ms < to_ms);
    // The slowest responses are the last to arrive. Each request ends, because it has a time limit.
    const isComplete = (kind: Sample["kind"]): boolean => {
      const known = samples.find((sample) => sample.kind === kind);
      if (known === undefined) return false;
      const countUntil = (limit_ms: number) => Math.ceil((limit_ms - known.at_ms) / EVERY_ms[kind]);
      const count = due().filter((sample) => sample.kind === kind).length;
      return count === countUntil(to_ms) - countUntil(from_ms);
    };
    await eventually(() => isComplete("read") && isComplete("create"));
    const took_ms = due().flatMap((sample) => (sample.kind === "read" ? [sample.took_ms] : []));
    const errors: Record<string, number> = {};
    for (const { error } of due())
      if (error !== undefined) errors[error] = (errors[error] ?? 0) + 1;
    assert.ok(took_ms.length > 0, "the victim sent requests");
    return {
      reads: took_ms.length,
      p50_ms: quantile(took_ms, 0.5),
      p99_ms: quantile(took_ms, 0.99),
      max_ms: Math.max(...took_ms),
      errors,
    };
  };
  const reads = (): number => samples.filter(({ kind }) => kind === "read").length;
  const untilReads = async (count: number): Promise<void> => {
    await eventually(reads, (completed) => completed >= count);
  };
  return { between, untilReads };
}
