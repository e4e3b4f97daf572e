/** A database that is not ours: waiting while it starts, why it refuses us, and slow settings. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import postgres from "postgres";
import { StartError } from "../errors/index.ts";
import { run } from "./statement.ts";
import type { Db } from "./tx.ts";

const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "the password is wrong",
  "28000": "the user may not connect",
  "3D000": "there is no such database",
  "42501": "the user lacks a permission",
};

/** A StartError without the address, which holds a password; any other error stays as it is. */
export function asStartError(error: unknown): unknown {
  const { code = "", message } = error as { code?: string; message: string };
  const why = REFUSALS[code];
  if (why !== undefined) return new StartError(`The database refuses us: ${why} (${message}).`);
  if (/^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+)$/.test(code)) {
    return new StartError(`The database cannot be reached: ${message}.`, { cause: error });
  }
  return error;
}

const LINE_EVERY_ms = 3_000;

/** Waits while a database is starting, recovering or shutting down, with a line every few seconds. */
export async function untilStarted(url: string, tell: (message: string) => void): Promise<void> {
  let due_ms = performance.now();
  for (;;) {
    const refusal = await refusalOf(url);
    if (refusal?.code !== "57P03") return;
    if (performance.now() >= due_ms) {
      tell(`Waiting for the database: ${refusal.message}`);
      due_ms = performance.now() + LINE_EVERY_ms;
    }
    await sleep(200);
  }
}

async function refusalOf(url: string): Promise<{ code?: string; message: string } | undefined> {
  const db = postgres(url, { max: 1, connect_timeout: 10, fetch_types: false });
  try {
    await run(db)`select`;
    return undefined;
  } catch (error) {
    return error as { code?: string; message: string };
  } finally {
    await db.end({ timeout: 1 });
  }
}

/** PostgreSQL's own value, which is meant for disks that turn. */
const SLOW_COST = 4;

/** Warns in the log where deep pages would be planned as scans of whole tables. */
export async function warnOfSlowSettings(sql: Db, log: Logger): Promise<void> {
  const [row] = await sql<{ cost: number; remedy: string }[]>`
    select current_setting('random_page_cost')::float8 as cost,
           format('alter database %I set random_page_cost = 1.1', current_database()) as remedy`;
  if (row === undefined || row.cost < SLOW_COST) return;
  log.warn(
    { random_page_cost: row.cost },
    `random_page_cost of this PostgreSQL is ${row.cost}: deep pages will be planned as scans of whole tables. ` +
      `On flash storage run \`${row.remedy}\` and start again. See docs/operating.md.`,
  );
}
