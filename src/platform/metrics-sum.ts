/**
 * The metrics of several processes as those of one. A process that has ended keeps its place in every
 * counter: a sum that fell would look to Prometheus like a restart of all of them, and be counted anew.
 */

import { AggregatorRegistry } from "prom-client";

/** What a process has measured, metric by metric, as `Registry.getMetricsAsJSON` tells it. */
export type Figures = readonly { readonly type: unknown }[];

export interface MetricsSum {
  /** What a process tells of itself, in place of what it told before. */
  readonly put: (processId: number, figures: Figures) => void;
  /** A process is gone: what it counted stays, what it held does not. */
  readonly end: (processId: number) => void;
  /** All of it in Prometheus' text format. */
  readonly text: () => Promise<string>;
}

const add = (all: readonly Figures[]) =>
  AggregatorRegistry.aggregate<"text/plain; version=0.0.4; charset=utf-8">([...all]);

const isCount = ({ type }: Figures[number]): boolean => type === "counter" || type === "histogram";

export function createMetricsSum(): MetricsSum {
  const alive = new Map<number, Figures>();
  /** Of those that are gone; put together when they are read. */
  let gone: Figures[] = [];
  return {
    put: (processId, figures) => {
      alive.set(processId, figures);
    },
    end: (processId) => {
      const last = alive.get(processId) ?? [];
      alive.delete(processId);
      gone.push(last.filter(isCount));
    },
    text: async () => {
      const before = gone;
      gone = [];
      const together = (await add(before).getMetricsAsJSON()) as unknown as Figures;
      gone.unshift(together);
      return add([...alive.values(), together]).metrics();
    },
  };
}
