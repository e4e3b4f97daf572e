/**
 * One side of the performance guard: a checkout and a data folder. The service runs the checkout's code and is filled
 * over HTTP. All workloads use its public API, so that any two commits can be compared.
 */

import { openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { makePartner, warmUp } from "./arena.ts";
import { cpuMeterOf, type Cpu } from "./cpu.ts";
import { importOf, linesOf } from "./imports.ts";
import { isDouble, leadAt } from "./leads.ts";
import { deepPageOf, type Ground } from "./loads.ts";
import { connectTo, startService, type Service } from "./service.ts";

export interface Side {
  readonly checkout: string;
  readonly dataDir: string;
}

/** One of the two sides to compare, while its service is running. */
export interface Running {
  readonly service: Service;
  readonly cpu: () => Cpu;
  readonly ground: Ground;
  /** The token of a partner that may look up people and push leads. */
  readonly partnerToken: string;
  /** When the initial leads were created. */
  readonly window: Window;
  /** Vacuums the tables. */
  readonly tidy: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The time window in which a side was filled, and its number of leads. */
export interface Window {
  readonly start_date: string;
  readonly end_date: string;
  readonly leads: number;
}

/**
 * The rate limit is so high that it is never reached, but requests are still counted. Requests are logged to /dev/null.
 */
const SETTINGS = { LOG_LEVEL: "info", RATE_LIMIT: "1000000" };
const CHUNK = 10_000;
const PATCHED = 10_000;
const PAGE_SIZE = 500;

export const startSide = ({ checkout, dataDir }: Side): Promise<Service> =>
  startService(dataDir, { checkout, settings: SETTINGS, log: openSync("/dev/null", "a") });

const isoNow = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/**
 * Imports this many leads and turns autovacuum off. The guard vacuums between workloads, so that rows from one round do
 * not slow down another.
 */
export async function fillSide(service: Service, rows: number): Promise<Window> {
  const start_date = isoNow();
  let leads = 0;
  for (let from = 0; from < rows; from += CHUNK) {
    const size = Math.min(CHUNK, rows - from);
    const numbers = Array.from({ length: size }, (_, at) => from + at);
    const chunk = numbers.filter((n) => !isDouble(n)).map(leadAt);
    await importOf(service, linesOf(chunk), chunk.length);
    leads += chunk.length;
  }
  // A window includes its last second, so no other leads may be created in that second.
  await sleep(1000);
  const end_date = isoNow();
  await sleep(1000);
  await within(service, async (sql) => {
    await sql`alter system set autovacuum = off`;
    await sql`select pg_reload_conf()`;
  });
  return { start_date, end_date, leads };
}

/** Prepares the data that the workloads need, and warms up the service. */
export async function runSide(service: Service, window: Window): Promise<Running> {
  const tidy = () =>
    within(service, async (sql) => {
      await sql`vacuum (analyze)`;
      await sql`checkpoint`;
    });
  await tidy();
  const { id: partnerId, token: partnerToken } = await makePartner(service);
  const ids = await idsOf(service, window.leads);
  const deep = await deepPageOf(service, window.leads);
  await warmUp(service);
  return {
    ...{ service, partnerToken, window, tidy, stop: service.stop },
    cpu: await cpuMeterOf(service),
    ground: { rows: window.leads, tenantId: "", partnerId, ids, deep },
  };
}

/** Returns the ids of up to 10,000 leads, from pages spread over the whole list. */
async function idsOf(service: Service, leads: number): Promise<readonly string[]> {
  const connection = connectTo(service);
  const pages = Math.min(PATCHED, leads) / PAGE_SIZE;
  const apart = Math.floor(leads / PAGE_SIZE / pages);
  const ids: string[] = [];
  for (let page = 0; page < pages; page++) {
    const path = `/crm/leads?page_size=${PAGE_SIZE}&page_num=${1 + page * apart}`;
    const { body } = await connection.get(path);
    const { leads: listed } = JSON.parse(body.toString("utf8")) as { leads: { _id: string }[] };
    ids.push(...listed.map(({ _id }) => _id));
  }
  connection.close();
  return ids;
}

async function within(
  { databaseUrl }: Service,
  work: (sql: postgres.Sql) => Promise<unknown>,
): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
