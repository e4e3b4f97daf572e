/** Waits until external databases have started, explains refused connections, and warns about slow settings. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { StartError, codeOf, messageOf } from "../platform/errors/index.ts";
import { openPool, run, type Db } from "../platform/database/index.ts";

const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "the password is wrong",
  "28000": "the user is not allowed to connect",
  "3D000": "the database does not exist",
  "42501": "the user lacks a permission",
};

/**
 * Converts a connection error to a StartError that omits the URL, because the URL contains a password. Returns other
 * errors unchanged.
 */
export function asStartError(error: unknown): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  const why = REFUSALS[code];
  if (why !== undefined)
    return new StartError(`The database refused the connection: ${why} (${message}).`);
  if (/^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+)$/.test(code)) {
    return new StartError(`Cannot reach the database: ${message}.`, { cause: error });
  }
  return error;
}

const REPORT_EVERY_ms = 3_000;

/** Waits while a database is starting, recovering or shutting down, and reports the state every few seconds. */
export async function untilStarted(url: string, report: (message: string) => void): Promise<void> {
  let due_ms = performance.now();
  for (;;) {
    const refusal = await refusalOf(url);
    if (refusal?.code !== "57P03") return;
    if (performance.now() >= due_ms) {
      report(`Waiting for the database: ${refusal.message}`);
      due_ms = performance.now() + REPORT_EVERY_ms;
    }
    await sleep(200);
  }
}

async function refusalOf(
  url: string,
): Promise<{ readonly code: string; readonly message: string } | undefined> {
  const db = openPool({ url });
  try {
    await run(db)`select`;
    return undefined;
  } catch (error) {
    return { code: codeOf(error), message: messageOf(error) };
  } finally {
    await db.end({ timeout: 1 });
  }
}

/** PostgreSQL's default value of `random_page_cost`, which is meant for spinning disks. */
const SLOW_COST = 4;

/** Logs a warning if PostgreSQL's settings would make it read deep pages of lists with full table scans. */
export async function warnOfSlowSettings(sql: Db, log: Logger): Promise<void> {
  const [row] = await run<{ cost: number; remedy: string }[]>(sql)`
    select current_setting('random_page_cost')::float8 as cost,
           format('alter database %I set random_page_cost = 1.1', current_database()) as remedy`;
  if (row === undefined || row.cost < SLOW_COST) return;
  log.warn(
    { random_page_cost: row.cost },
    `random_page_cost is ${row.cost} on this PostgreSQL server, so deep pages will be planned as full table scans. ` +
      `If the database is on flash storage, run \`${row.remedy}\` and restart. See docs/operating.md.`,
  );
}
