/**
 * Measures short reads without the service: first over many connections, then pipelined over a few. Each of 16 loops
 * uses the driver to read one lead at a time by its id. Run it with `npm run bench:short-reads`.
 */

import postgres from "postgres";
import { openArena } from "./arena.ts";
import { cpuMeterOf } from "./cpu.ts";
import { filled } from "./fill.ts";
import { readOptions } from "./options.ts";

const FOR_ms = 3000;
const LOOPS = 16;
const CONNECTIONS = [16, 8, 4, 2, 1];
const IDS = 20_000;
/** The distance from one id to the next. With this distance, all ids are read, and consecutive reads are far apart. */
const STEP = 7919;

const { rows, dataDir } = readOptions("bench:short-reads", "The cost of a lookup by id.");
await filled(dataDir, rows);
const arena = await openArena(dataDir);
const { tenantId } = arena;
const leads = await arena.sql`select id from leads where tenant_id = ${tenantId} limit ${IDS}`;
const meter = await cpuMeterOf(arena.service);
let at = 0;
console.log("| connections | reads/s | reader, µs | database, µs |\n|--:|--:|--:|--:|");
for (const max of CONNECTIONS) {
  const sql = postgres(arena.service.databaseUrl, { max, fetch_types: false });
  const read = () => {
    at = (at + STEP) % leads.length;
    return sql`select body from leads where tenant_id = ${tenantId} and id = ${leads[at]?.["id"]}`.raw();
  };
  await Promise.all(Array.from({ length: 50 }, read));
  const [reader, before, until_ms] = [process.cpuUsage(), meter(), performance.now() + FOR_ms];
  let done = 0;
  const loop = async (): Promise<void> => {
    for (; performance.now() < until_ms; done += 1) await read();
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  const { user, system } = process.cpuUsage(reader);
  const database_us = (meter().database_ms - before.database_ms) * 1000;
  const figures = [max, (done * 1000) / FOR_ms, (user + system) / done, database_us / done];
  console.log(`| ${figures.map((figure) => Math.round(figure)).join(" | ")} |`);
  await sql.end();
}
await arena.stop();
