/**
 * Gauges whose values come from the database. All are read together, at most every 10 s, on a
 * separate connection with a short timeout. A request for the metrics page waits at most half a
 * second for new values and then returns the previous ones. If the last read failed, the page has
 * no values for these gauges.
 */

import { setTimeout as delay } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import { DatabaseError } from "../pool/index.ts";
import { separateConnection, transaction, type Db, type Tx, run } from "../database/index.ts";

const CACHED_ms = 10_000;
const PAGE_WAITS_ms = 500;
const STATEMENT_MAX_ms = 2_000;

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Gauges that are read together. A failed read affects no other group. */
export interface MeasuredGroup {
  /** The help text and the label names of each gauge, keyed by gauge name. */
  readonly gauges: Readonly<
    Record<string, { readonly help: string; readonly labels?: readonly string[] }>
  >;
  /** Returns the samples by gauge name. Must not write to the database. */
  readonly read: (db: Db | Tx) => Promise<Readonly<Record<string, readonly Sample[]>>>;
}

/** Adds `leadport_database_up` and the gauges of all groups to a registry. */
export function addMeasured(register: Registry, db: Db, groups: readonly MeasuredGroup[]) {
  const connection = separateConnection(db);
  let readAt_ms = -Infinity;
  let isReading = false;
  let reading: Promise<unknown> = Promise.resolve();
  const readAll = async (): Promise<void> => {
    const results = await Promise.all(added.map((group) => group.read(connection)));
    up.set(results.includes(true) ? 1 : 0);
    isReading = false;
  };
  /** Called for each gauge when the metrics page is generated. */
  const refresh = async (): Promise<void> => {
    const now_ms = performance.now();
    if (!isReading && now_ms - readAt_ms >= CACHED_ms) {
      readAt_ms = now_ms;
      isReading = true;
      reading = readAll();
    }
    if (isReading) await Promise.race([reading, delay(PAGE_WAITS_ms, undefined, { ref: false })]);
  };
  const gaugeOf = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [register],
      // All processes of an installation read the same values, so the values must not be added up.
      aggregator: "max" as const,
      collect: refresh,
    });
  const added = groups.map((group) => addGroup(group, gaugeOf));
  const up = gaugeOf(
    "leadport_database_up",
    "1 if the database responded when these metrics were last read, otherwise 0.",
  );
  return { close: () => connection.end({ timeout: 1 }) };
}

function addGroup(
  { gauges, read }: MeasuredGroup,
  gaugeOf: (name: string, help: string, labels?: readonly string[]) => Gauge,
) {
  const known = Object.entries(gauges).map(([name, { help, labels = [] }]) => {
    const gauge = gaugeOf(name, help, labels);
    return { name, gauge, isPlain: labels.length === 0 };
  });
  const show = (values: Readonly<Record<string, readonly Sample[]>>): void => {
    for (const { name, gauge, isPlain } of known) {
      gauge.reset();
      // Remove the gauge: `reset` would set a gauge without labels to 0, which would be reported as a measured value.
      if (isPlain) gauge.remove();
      for (const { labels = {}, value } of values[name] ?? []) gauge.set(labels, value);
    }
  };
  show({});
  return {
    read: async (db: Db): Promise<boolean> => {
      try {
        const limited = async (tx: Tx) => {
          await run(tx)`select set_config('statement_timeout', ${String(STATEMENT_MAX_ms)}, true)`;
          return read(tx);
        };
        show(await transaction(db, limited, "read only"));
        return true;
      } catch (error) {
        show({});
        return error instanceof DatabaseError;
      }
    },
  };
}
