/** Measures the ordinary user of the service: how long its requests took in a period. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../../bench/service.ts";
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
}

/** The maximum time for which a response may be outstanding; see RESPONSE_ms in victim-process.ts. */
const OUTSTANDING_ms = 25_000;

/** Starts the requests. They stop when the test ends. */
export function startVictim(t: TestContext, given: VictimArguments): Victim {
  const samples: Sample[] = [];
  const path = join(import.meta.dirname, "victim-process.ts");
  const child = startMessenger(t, path, JSON.stringify(given));
  child.on("message", (sample) => samples.push(sample as Sample));
  const between = async (from_ms: number, to_ms: number): Promise<Latency> => {
    await sleep(Math.max(0, to_ms - Date.now()));
    const due = (): Sample[] => samples.filter(({ at_ms }) => at_ms >= from_ms && at_ms < to_ms);
    // A read is due every 50 ms. The last read of a period may still be outstanding.
    const wanted = Math.floor((to_ms - from_ms) / 50) - 1;
    const reads = () => due().filter(({ kind }) => kind === "read");
    await eventually(
      () => reads().length,
      (count) => count >= wanted,
      OUTSTANDING_ms,
    );
    const took_ms = reads().map((sample) => sample.took_ms);
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
  return { between };
}
