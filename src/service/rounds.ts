/** Performs background tasks in rounds until it is stopped. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../platform/clock/index.ts";
import { isUnavailable } from "../platform/failed-statements/index.ts";
import type { Works } from "../platform/modules/index.ts";
import type { addWorkMetrics } from "./work-metrics.ts";

const IDLE_ms = 1000;
const AFTER_FAILURE_ms = 5000;

interface RoundDeps {
  /** Aborted to stop after the current task. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: ReturnType<typeof addWorkMetrics> | undefined;
}

/** Repeats rounds of all tasks. Resolves when the signal is aborted and the current task is finished. */
export async function repeat(works: Works, deps: RoundDeps): Promise<void> {
  const { signal } = deps;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  while (!signal.aborted) await pause(await round(works, deps));
}

/**
 * Attempts each task once, even if others fail. If the database is unavailable, the round does not count as passed.
 * Returns how long to pause before the next round.
 */
async function round(works: Works, { signal, clock, log, metrics }: RoundDeps): Promise<number> {
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
}
