/** The metrics of several processes as those of one, in whose counters ended processes stay. */

import { AggregatorRegistry } from "prom-client";

/** What a process has measured, metric by metric, as `Registry.getMetricsAsJSON` tells it. */
export type Figures = readonly { readonly type: unknown }[];

const add = (all: readonly Figures[]) =>
  AggregatorRegistry.aggregate<"text/plain; version=0.0.4; charset=utf-8">([...all]);

const isCount = ({ type }: Figures[number]): boolean => type === "counter" || type === "histogram";

/** What is gone already, and what a process told last of what it counted. */
async function addGone(gone: Promise<Figures>, last: Figures): Promise<Figures> {
  return add([await gone, last.filter(isCount)]).getMetricsAsJSON();
}

export function createMetricsSum() {
  const alive = new Map<number, Figures>();
  let gone: Promise<Figures> = Promise.resolve([]);
  return {
    /** What a process tells of itself, in place of what it told before. */
    put: (processId: number, figures: Figures) => void alive.set(processId, figures),
    /** A process is gone: what it counted stays, what it held does not. */
    end: (processId: number): void => {
      const last = alive.get(processId);
      alive.delete(processId);
      if (last !== undefined) gone = addGone(gone, last);
    },
    text: async (): Promise<string> => {
      const all = [...alive.values()];
      return add([...all, await gone]).metrics();
    },
  };
}
