/** Serves the API with several processes on one port (PROCESSES). This process does not serve requests itself. */

import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import { createMetricsSum, figuresOf } from "../../platform/metrics/index.ts";
import type { Installation } from "../installation.ts";
import { startServing, type ServingProcess } from "./serving-process.ts";
import { within } from "../../platform/clock/index.ts";
import { messageOf } from "../../platform/errors/index.ts";

/** The minimum and the maximum pause before a process is restarted. */
const FIRST_PAUSE_ms = 100;
const LONGEST_PAUSE_ms = 10_000;
/** The pause before a restart is reset once a process has run this long. */
const SETTLED_ms = 10_000;
/**
 * How long a serving process may take to exit. This is enough time to complete its responses, and leaves the first
 * process 5 s to exit.
 */
const ENDS_WITHIN_ms = 5_000;
/** How long to wait for a process's metrics. After that, its previous metrics are used. */
const FIGURES_WITHIN_ms = 700;

/** Listens on HOST and PORT. If a process cannot listen, stops all processes and throws a StartError. */
export async function listenInProcesses({ config, log }: Installation, register: Registry) {
  const serving = new Set<ServingProcess>();
  const metrics = metricsOf(serving, register);
  const stopping = new AbortController();
  const start = (): ServingProcess => {
    const one = startServing(metrics.text);
    serving.add(one);
    void removeWhenEnded(one);
    return one;
  };
  const removeWhenEnded = async (one: ServingProcess): Promise<void> => {
    await one.ended;
    serving.delete(one);
    metrics.end(one);
  };
  const keepRunning = async (first: ServingProcess): Promise<void> => {
    let pause_ms = FIRST_PAUSE_ms;
    for (let one = first; ;) {
      const start_ms = performance.now();
      const reason = await one.ended;
      if (performance.now() - start_ms > SETTLED_ms) pause_ms = FIRST_PAUSE_ms;
      await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      log.warn(`Serving process ${one.pid} has ended (${reason}); starting another one`);
      pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_ms);
      try {
        one = start();
      } catch (error) {
        // The operating system cannot start another process at the moment.
        log.warn(messageOf(error));
      }
    }
  };
  /** Lets all processes drain for SHUTDOWN_DRAIN_S or until `stop` is called. */
  const drain = (): void => {
    stopping.abort();
    for (const one of serving) one.signal("SIGTERM");
  };
  const stop = async (watched: readonly Promise<unknown>[]): Promise<void> => {
    stopping.abort();
    for (const one of serving) {
      one.signal("SIGTERM");
      one.stop();
    }
    if (await within(ENDS_WITHIN_ms, Promise.all(watched))) return;
    for (const one of serving) one.signal("SIGKILL");
    await Promise.all(watched);
  };

  const first = Array.from({ length: config.processes }, start);
  const ports = await Promise.all(first.map(({ listens }) => listens)).catch(async (error) => {
    await stop(first.map(({ ended }) => ended));
    throw error;
  });
  const watched = first.map(keepRunning);
  return { port: ports[0] ?? config.port, drain, close: () => stop(watched) };
}

/** Returns the metrics of this process and of all serving processes, including exited ones. */
function metricsOf(serving: ReadonlySet<ServingProcess>, register: Registry) {
  const sum = createMetricsSum();
  const gauge = new Gauge({
    name: "leadport_serving_processes",
    help: "Number of serving processes. Lower than PROCESSES while a process is being restarted.",
    registers: [register],
  });
  return {
    end: ({ pid }: ServingProcess) => sum.end(pid),
    text: async (): Promise<string> => {
      const listening = [...serving].filter((one) => one.isListening());
      gauge.set(listening.length);
      const updateOwn = async () => sum.put(process.pid, await figuresOf(register));
      const update = async (one: ServingProcess): Promise<void> => {
        const figures = await one.figures(FIGURES_WITHIN_ms);
        if (figures !== undefined && serving.has(one)) sum.put(one.pid, figures);
      };
      await Promise.all([updateOwn(), ...listening.map(update)]);
      return sum.text();
    },
  };
}
