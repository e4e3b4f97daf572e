/** Adds up the metrics of several processes. Counters include processes that have exited. */

import { AggregatorRegistry } from "prom-client";

/** The metrics of a process, as returned by `Registry.getMetricsAsJSON`. */
export type Figures = readonly { readonly type: unknown }[];

const add = (all: readonly Figures[]) =>
  AggregatorRegistry.aggregate<"text/plain; version=0.0.4; charset=utf-8">([...all]);

const isCount = ({ type }: Figures[number]): boolean => type === "counter" || type === "histogram";

/** Adds the final counters of an exited process to those of processes that exited earlier. */
async function addEnded(ended: Promise<Figures>, last: Figures): Promise<Figures> {
  return add([await ended, last.filter(isCount)]).getMetricsAsJSON();
}

export function createMetricsSum() {
  const alive = new Map<number, Figures>();
  let ended: Promise<Figures> = Promise.resolve([]);
  return {
    /** Replaces the metrics of a running process. */
    put: (processId: number, figures: Figures) => void alive.set(processId, figures),
    /** Call this when a process has exited. Retains its counters and drops its gauges. */
    end: (processId: number): void => {
      const last = alive.get(processId);
      alive.delete(processId);
      if (last !== undefined) ended = addEnded(ended, last);
    },
    text: async (): Promise<string> => {
      const all = [...alive.values()];
      return add([...all, await ended]).metrics();
    },
  };
}
