/** The workloads of the performance guard: W1 to W10 of `npm run bench -- compare`, with a fixed amount of work per round. */

import { setTimeout as sleep } from "node:timers/promises";
import { fileOf, importOf } from "../compare/imports.ts";
import { stream } from "../compare/windows.ts";
import { loop } from "../loads/loop.ts";
import { CLOSED_LOADS, type ClosedLoad } from "../loads/requests.ts";
import type { Running } from "./side.ts";

export interface GuardLoad {
  readonly name: string;
  readonly what: string;
  /** The unit of work for which the cost is reported. */
  readonly unit: "request" | "record" | "row";
  /** Prepares a side. The returned function runs one round and returns the number of units. */
  readonly start: (side: Running) => () => Promise<number>;
}

/** The cost per unit, in µs. */
export interface Cost {
  /** Processor time of the service and of the database. */
  readonly service_us: number;
  readonly database_us: number;
  /** Elapsed time: the reciprocal of the throughput. */
  readonly took_us: number;
}

const CONNECTIONS = 16;
/** Zero, because the guard itself measures the processor time of whole rounds. */
const NO_CPU = { service_ms: 0, database_ms: 0 };
const IMPORTED = 2000;
/** The number of requests per round. A round takes about a second of processor time. */
const REQUESTS: Readonly<Record<string, number>> = {
  W1: 2000,
  W2: 2000,
  W3: 2400,
  W3n: 600,
  W4: 800,
  W5: 1000,
  W6: 1800,
  W9: 600,
};

const closedLoad = ({ name, what, ask, isPartners }: ClosedLoad): GuardLoad => ({
  name,
  what: what.replace(/, compared with .*/, ""),
  unit: "request",
  start: ({ service, ground, partnerToken }) => {
    const authorization =
      isPartners === true ? `Partner ${partnerToken}` : `Bearer ${service.token}`;
    const arm = { url: service.url, authorization, next: ask(ground), cpu: () => NO_CPU };
    const requests = REQUESTS[name] ?? 1000;
    return async () => {
      await loop(arm, { connections: CONNECTIONS, requests });
      return requests;
    };
  },
});

const WINDOW: GuardLoad = {
  name: "W7",
  what: "window of all leads, streamed",
  unit: "record",
  start:
    ({ service, window: { start_date, end_date, leads } }) =>
    async () => {
      const url = `${service.url}/crm/leads/created?start_date=${start_date}&end_date=${end_date}`;
      const { records } = await stream(url, `Bearer ${service.token}`);
      if (records !== leads) throw new Error(`The window has ${records} records, not ${leads}`);
      return records;
    },
};

let files = 0;

const importLoad = (format: "csv" | "ndjson"): GuardLoad => ({
  name: `W8 ${format}`,
  what: `import of ${IMPORTED} leads, ${format}`,
  unit: "row",
  start:
    ({ service }) =>
    async () => {
      await importOf(service, fileOf(format, IMPORTED, ++files), IMPORTED);
      return IMPORTED;
    },
});

// Leave out workloads that compare two requests, because they need features that an earlier commit may not have.
const closed = CLOSED_LOADS.filter(({ comparesRequests }) => !comparesRequests).map(closedLoad);
const isBeforeImports = ({ name }: GuardLoad): boolean => name < "W7";

export const GUARD_LOADS: readonly GuardLoad[] = [
  ...closed.filter(isBeforeImports),
  WINDOW,
  importLoad("csv"),
  importLoad("ndjson"),
  ...closed.filter((load) => !isBeforeImports(load)),
];

/** Returns the name that selects a workload. W3 selects both W3 and W3n. */
export const numberOfLoad = ({ name }: GuardLoad): string => /^W\d/.exec(name)?.[0] ?? name;

/**
 * How long to wait after the last response. This way, work that follows the response, such as writing the log line,
 * counts toward the round.
 */
const SETTLE_ms = 50;

/** Runs one round on a side. */
export async function costOf({ cpu }: Running, round: () => Promise<number>): Promise<Cost> {
  const before = cpu();
  const start_ms = performance.now();
  const units = await round();
  const took_ms = performance.now() - start_ms;
  await sleep(SETTLE_ms);
  const after = cpu();
  return {
    service_us: (1000 * (after.service_ms - before.service_ms)) / units,
    database_us: (1000 * (after.database_ms - before.database_ms)) / units,
    took_us: (1000 * took_ms) / units,
  };
}
