/**
 * One side of the performance guard: a checkout and a data folder. The service runs the checkout's code and is filled
 * over HTTP. All workloads use its public API, so that any two commits can be compared.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { importOf, linesOf } from "../compare/imports.ts";
import { isDouble, leadAt } from "../loads/leads.ts";
import { deepPageOf, type Ground } from "../loads/requests.ts";
import { cpuMeterOf, type Cpu } from "../service/cpu.ts";
import { withDatabase } from "../service/database.ts";
import { clientOf, createPartner, warmUp, type Service } from "../service/service.ts";

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

const CHUNK = 10_000;
const PATCHED = 10_000;
const PAGE_SIZE = 500;

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
  await run(service, "alter system set autovacuum = off", "select pg_reload_conf()");
  return { start_date, end_date, leads };
}

/** Prepares the data that the workloads need, and warms up the service. */
export async function runSide(service: Service, window: Window): Promise<Running> {
  const tidy = () => run(service, "vacuum (analyze)", "checkpoint");
  await tidy();
  const { id: partnerId, token: partnerToken } = await createPartner(service);
  const ids = await idsOf(service, window.leads);
  const deep = await deepPageOf(service, window.leads);
  await warmUp(service);
  return {
    service,
    partnerToken,
    window,
    tidy,
    stop: service.stop,
    cpu: await cpuMeterOf(service),
    ground: { rows: window.leads, tenantId: "", partnerId, ids, deep },
  };
}

/** Returns the ids of up to 10,000 leads, from pages spread over the whole list. */
async function idsOf(service: Service, leads: number): Promise<readonly string[]> {
  const client = clientOf(service);
  const pages = Math.min(PATCHED, leads) / PAGE_SIZE;
  const apart = Math.floor(leads / PAGE_SIZE / pages);
  const ids: string[] = [];
  for (let page = 0; page < pages; page++) {
    const path = `/crm/leads?page_size=${PAGE_SIZE}&page_num=${1 + page * apart}`;
    const { body } = await client.get(path);
    const { leads: listed } = JSON.parse(body) as { leads: { _id: string }[] };
    ids.push(...listed.map(({ _id }) => _id));
  }
  client.close();
  return ids;
}

/** Runs statements in the service's database, one after the other. */
const run = ({ databaseUrl }: Service, ...statements: readonly string[]): Promise<void> =>
  withDatabase(databaseUrl, async ({ query }) => {
    for (const statement of statements) await query(statement);
  });
