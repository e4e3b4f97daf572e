/** The API in several processes on one port (PROCESSES); this one serves nothing itself. */

import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import { createMetricsSum, figuresOf } from "../../platform/metrics/index.ts";
import type { Installation } from "../installation.ts";
import { startServing, type ServingProcess } from "./serving-process.ts";
import { within } from "../../platform/clock/index.ts";

/** Before a process is started again: the first pause, and the longest where it ends at once. */
const FIRST_PAUSE_ms = 100;
const LONGEST_PAUSE_ms = 10_000;
/** One that has lived for so long did not end at once. */
const SETTLED_ms = 10_000;
/** More than what a process takes for its answers; the first has 5 s left for its own end. */
const ENDS_WITHIN_ms = 5_000;
/** Of one that does not answer in time, what it told last is told. */
const FIGURES_WITHIN_ms = 700;

/** Listens on HOST and PORT. Throws a StartError if a process cannot, when all have ended. */
export async function listenInProcesses({ config, log }: Installation, register: Registry) {
  const serving = new Set<ServingProcess>();
  const metrics = metricsOf(serving, register);
  const stopping = new AbortController();
  const start = (): ServingProcess => {
    const one = startServing(metrics.text);
    serving.add(one);
    void forget(one);
    return one;
  };
  const forget = async (one: ServingProcess): Promise<void> => {
    await one.ended;
    serving.delete(one);
    metrics.end(one);
  };
  const keep = async (first: ServingProcess): Promise<void> => {
    let pause_ms = FIRST_PAUSE_ms;
    for (let one = first; ;) {
      const began_ms = performance.now();
      const how = await one.ended;
      if (performance.now() - began_ms > SETTLED_ms) pause_ms = FIRST_PAUSE_ms;
      await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      log.warn(`Process ${one.pid}, which served, has ended (${how}); another takes its place`);
      pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_ms);
      try {
        one = start();
      } catch (error) {
        // The machine has no room for it at this moment.
        log.warn((error as Error).message);
      }
    }
  };
  /** They serve on, each for SHUTDOWN_DRAIN_S or until `stop`. */
  const drain = (): void => {
    stopping.abort();
    for (const one of serving) one.signal("SIGTERM");
  };
  const stop = async (kept: readonly Promise<unknown>[]): Promise<void> => {
    stopping.abort();
    for (const one of serving) {
      one.signal("SIGTERM");
      one.stop();
    }
    if (await within(ENDS_WITHIN_ms, Promise.all(kept))) return;
    for (const one of serving) one.signal("SIGKILL");
    await Promise.all(kept);
  };

  const first = Array.from({ length: config.processes }, start);
  const ports = await Promise.all(first.map(({ listens }) => listens)).catch(async (error) => {
    await stop(first.map(({ ended }) => ended));
    throw error;
  });
  const kept = first.map(keep);
  return { port: ports[0] ?? config.port, drain, close: () => stop(kept) };
}

/** The metrics of this process and of all that serve, or have served. */
function metricsOf(serving: ReadonlySet<ServingProcess>, register: Registry) {
  const sum = createMetricsSum();
  const gauge = new Gauge({
    name: "leadport_serving_processes",
    help: "Processes that serve; fewer than PROCESSES while one is started again.",
    registers: [register],
  });
  return {
    end: ({ pid }: ServingProcess) => sum.end(pid),
    text: async (): Promise<string> => {
      const listening = [...serving].filter((one) => one.isListening());
      gauge.set(listening.length);
      const askOurselves = async () => sum.put(process.pid, await figuresOf(register));
      const ask = async (one: ServingProcess): Promise<void> => {
        const figures = await one.figures(FIGURES_WITHIN_ms);
        if (figures !== undefined && serving.has(one)) sum.put(one.pid, figures);
      };
      await Promise.all([askOurselves(), ...listening.map(ask)]);
      return sum.text();
    },
  };
}
