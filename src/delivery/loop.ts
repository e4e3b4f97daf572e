/**
 * The worker's loop. It takes as many due jobs as it can run concurrently and starts an attempt for each. It checks the
 * queue when a delivery is queued, when an attempt ends, and every second.
 */

import { setTimeout as delay } from "node:timers/promises";
import { tracedJob } from "../platform/admission/index.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import { createQueue, CHANNEL, type Lanes } from "./queue.ts";
import { attempt } from "./attempt.ts";
import { type AttemptDeps } from "./record-attempt.ts";
import { requeueForgotten } from "./upkeep.ts";

export interface LoopOptions extends Omit<AttemptDeps, "queue" | "random"> {
  readonly lanes?: Lanes;
  /** Maximum number of concurrent attempts in this process. */
  readonly concurrency?: number;
  /** Maximum number of concurrent attempts per tenant, across all processes. */
  readonly perTenant?: number;
  readonly random?: () => number;
  /** How often the loop checks for due attempts if no notification triggers a check. */
  readonly poll_ms?: number;
  /** Creates a trace for each attempt. */
  readonly tracing?: Tracing | undefined;
}

const CONCURRENCY = 16;
const PER_TENANT = 4;
/** The maximum time until the loop notices that an attempt is due. */
const POLL_ms = 1000;
const AFTER_FAILURE_ms = 2000;
const UPKEEP_ms = 60_000;

export interface Loop {
  /** Starts no further attempts and waits for the running ones. */
  readonly stop: () => Promise<void>;
}

export function startDeliveries(options: LoopOptions): Loop {
  const { sql, log, clock, random = Math.random } = options;
  const { concurrency = CONCURRENCY, perTenant = PER_TENANT, poll_ms = POLL_ms } = options;
  const note = (error: unknown) => log.warn({ err: error }, "The delivery queue failed");
  const queue = createQueue({ sql, supervise: true, note });
  const deps: AttemptDeps = { ...options, random, queue };
  const wakeUp = createWakeUp();
  const running = new Set<Promise<void>>();
  let isStopping = false;
  let upkeepAt_ms = 0;

  const start = (job: Parameters<typeof attempt>[0]): void => {
    // If an outcome could not be recorded, the job counts as lost after its timeout and is retried.
    const { tenantId: tenant, deliveryId: delivery } = job;
    const about = { "leadport.tenant": tenant, "leadport.delivery": delivery };
    const run = tracedJob(options.tracing, "delivery attempt", about, () => attempt(job, deps))
      .catch((error: unknown) =>
        log.warn({ err: error }, "The outcome of an attempt was lost; it will be retried"),
      )
      .finally(() => {
        running.delete(run);
        wakeUp.trigger();
      });
    running.add(run);
  };
  /** Takes due jobs. Returns whether there may be more to take immediately. */
  const takeSome = async (): Promise<boolean> => {
    const free = concurrency - running.size;
    if (free === 0) return false;
    const jobs = await queue.take(free, perTenant);
    for (const job of jobs) start(job);
    return jobs.length > 0;
  };
  const runUpkeep = async (): Promise<void> => {
    const now_ms = clock.now_ms();
    if (now_ms - upkeepAt_ms < UPKEEP_ms) return;
    upkeepAt_ms = now_ms;
    // A failure, such as a timeout because of many overdue deliveries, must not prevent sending them.
    await requeueForgotten(sql, { ...options, queue }).catch(note);
  };
  const run = async (): Promise<void> => {
    // Also wakes up when it begins to listen, because earlier notifications were missed.
    const listener = sql.listen(CHANNEL, wakeUp.trigger);
    while (!isStopping) {
      try {
        await runUpkeep();
        if (!(await takeSome())) await wakeUp.wait(poll_ms);
      } catch (error) {
        note(error);
        await wakeUp.wait(AFTER_FAILURE_ms);
      }
    }
    await Promise.all(running);
    listener.end();
    await queue.close();
  };
  const done = run();
  return {
    stop: async () => {
      isStopping = true;
      wakeUp.trigger();
      await done;
    },
  };
}

interface WakeUp {
  readonly trigger: () => void;
  /** Waits up to `limit_ms` for a trigger. Returns immediately if there was one since the last wait. */
  readonly wait: (limit_ms: number) => Promise<void>;
}

function createWakeUp(): WakeUp {
  let triggered = new AbortController();
  return {
    trigger: () => triggered.abort(),
    wait: async (limit_ms) => {
      await delay(limit_ms, undefined, { signal: triggered.signal }).catch(() => undefined);
      triggered = new AbortController();
    },
  };
}
