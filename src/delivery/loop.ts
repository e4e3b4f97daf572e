/**
 * The worker's loop: takes due jobs, as many as it may have under way, and starts an attempt for each. It looks
 * when it is woken by whoever promises a delivery, when a hand is free again, and every second.
 */

import { setTimeout as delay } from "node:timers/promises";
import { tracedJob } from "../platform/admission/index.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import { createQueue, CHANNEL } from "./queue.ts";
import { attempt } from "./attempt.ts";
import { type AttemptDeps } from "./record-attempt.ts";
import { requeueForgotten } from "./upkeep.ts";

export interface LoopOptions extends Omit<AttemptDeps, "queue" | "random"> {
  /** Attempts at a time of this process. */
  readonly hands?: number;
  /** Attempts at a time of one tenant, in all processes. */
  readonly perTenant?: number;
  readonly random?: () => number;
  /** Each attempt has a trace; none without it. */
  readonly tracing?: Tracing | undefined;
}

const HANDS = 16;
const PER_TENANT = 4;
/** Attempts that come due while nothing happens are found so much later. */
const LOOK_ms = 1000;
const AFTER_FAILURE_ms = 2000;
const UPKEEP_ms = 60_000;

export interface Loop {
  /** Begins nothing more and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

export function startDeliveries(options: LoopOptions): Loop {
  const { sql, log, clock, hands = HANDS, perTenant = PER_TENANT, random = Math.random } = options;
  const note = (error: unknown) => log.warn({ err: error }, "The queue of deliveries failed");
  const queue = createQueue({ sql, supervise: true, note });
  const deps: AttemptDeps = { ...options, random, queue };
  const bell = createBell();
  const underWay = new Set<Promise<void>>();
  let isStopping = false;
  let keptUp_ms = 0;

  const start = (job: Parameters<typeof attempt>[0]): void => {
    // An outcome that could not be noted: the job counts as lost after its time, and is tried again.
    const { tenantId: tenant, deliveryId: delivery } = job;
    const about = { "leadport.tenant": tenant, "leadport.delivery": delivery };
    const run = tracedJob(options.tracing, "delivery attempt", about, () => attempt(job, deps))
      .catch((error: unknown) => log.warn({ err: error }, "An attempt was lost; it is made again"))
      .finally(() => {
        underWay.delete(run);
        bell.ring();
      });
    underWay.add(run);
  };
  /** Whether there may be more to take at once. */
  const takeSome = async (): Promise<boolean> => {
    const free = hands - underWay.size;
    if (free === 0) return false;
    const jobs = await queue.take(free, perTenant);
    for (const job of jobs) start(job);
    return jobs.length > 0;
  };
  const keepUp = async (): Promise<void> => {
    const now_ms = clock.now_ms();
    if (now_ms - keptUp_ms < UPKEEP_ms) return;
    await requeueForgotten(sql, queue, clock);
    keptUp_ms = now_ms;
  };
  const run = async (): Promise<void> => {
    let listening: Promise<unknown> | undefined;
    while (!isStopping) {
      try {
        listening ??= sql.listen(CHANNEL, bell.ring).catch(() => (listening = undefined));
        await keepUp();
        if (!(await takeSome())) await bell.wait(LOOK_ms);
      } catch (error) {
        note(error);
        await bell.wait(AFTER_FAILURE_ms);
      }
    }
    await Promise.all(underWay);
    unlisten(listening);
    await queue.close();
  };
  const done = run();
  return {
    stop: async () => {
      isStopping = true;
      bell.ring();
      await done;
    },
  };
}

/** Not waited for: without a database it would take as long as that is away. */
function unlisten(listening: Promise<unknown> | undefined): void {
  void listening
    ?.then((meta) =>
      (meta as { readonly unlisten?: () => Promise<void> } | undefined)?.unlisten?.(),
    )
    .catch(() => undefined);
}

interface Bell {
  readonly ring: () => void;
  /** Until it rings, or has rung since it was last waited for. */
  readonly wait: (limit_ms: number) => Promise<void>;
}

function createBell(): Bell {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    wait: async (limit_ms) => {
      await delay(limit_ms, undefined, { signal: rung.signal }).catch(() => undefined);
      rung = new AbortController();
    },
  };
}
