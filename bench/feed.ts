/**
 * Measures the cost of the change feed: `npm run bench:feed -- --help`. Sixteen writers create and change leads with
 * the service's own statements. They alternate between a database that assigns feed positions to changes and one that
 * does not, so that both are measured under the same conditions. The second part measures how long a change takes to
 * settle while the writers run. Exits with 1 if positions increase the cost of writes by more than 15%.
 */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { createTenant } from "../src/access/index.ts";
import { SERVICE, type Scope } from "../src/audit/index.ts";
import { systemClock } from "../src/platform/clock/clock.ts";
import { connect, type Database } from "../src/platform/database/db.ts";
import { startEmbedded } from "../src/platform/embedded/index.ts";
import { createHorizon } from "../src/platform/database/horizon.ts";
import { idSource } from "../src/platform/clock/ids.ts";
import { migrate } from "../src/platform/database/migrate.ts";
import { createSealer } from "../src/platform/secrets/sealing.ts";
import { idOf, RECORD_TYPES } from "../src/records/index.ts";
import { withoutStamps } from "../src/records/shape/schemas.ts";
import { updateRecord } from "../src/records/write/statements.ts";
import { findStored } from "../src/records/write/find-record.ts";
import { createDraft } from "../src/records/write/write.ts";
import type { Author } from "../src/records/write/writer.ts";
import { draftOf } from "../src/records/shape/present.ts";
import { head, row, spread } from "./exchange-table.ts";
import { leadAt } from "./leads.ts";
import { numberOf, readOptions } from "./options.ts";
import { median, quantile } from "./service.ts";

const WRITERS = 16;
const RATIO_MAX = 1.15;
const { lead } = RECORD_TYPES;
const clock = systemClock();
const makeId = idSource(clock);
const deps = { clock, makeId, sealer: createSealer({ all: [Buffer.alloc(32, 7)] }) };

/** One of the two databases, with its tenant and the leads that its writers created. */
interface Side {
  readonly db: Database;
  readonly scope: Scope;
  readonly author: Author;
  readonly leads: string[];
}

async function openSide(url: string): Promise<Side> {
  const db = connect({ url, connections: WRITERS, listTimeout_ms: 10_000 });
  const { tenant, owner } = await createTenant(db.sql, { clock, makeId }, { name: "Bench" });
  const scope = { db: db.sql, tenantId: tenant.id, actor: SERVICE };
  return { db, scope, author: { country: "US", person: owner }, leads: [] };
}

type Load = (side: Side, at: number) => Promise<void>;
const LOADS: Readonly<Record<string, Load>> = {
  create: async ({ scope, author, leads }) => {
    const draft = draftOf(lead, leadAt(leads.length), "US");
    const body = await createDraft({ scope, deps, author, type: lead }, { draft, ssn: undefined });
    leads.push(idOf(body));
  },
  update: async ({ scope, leads }, at) => {
    const id = leads[at % leads.length] ?? "";
    const stored = await findStored(scope, lead, id);
    if (stored === undefined) throw new Error(`No lead ${id}`);
    const body = { ...withoutStamps(stored.body), title: `Title ${at}` };
    const next = { id, body, internal: stored.internal, fields: { title: ["a", "b"] as const } };
    const touch = { updated: true, status: false };
    const change = { stored, next, touch, action: "updated" };
    await updateRecord({ scope, deps, type: lead }, change);
  },
  "only the row in `changes`": async ({ scope: { db, tenantId } }) => {
    await db`
      insert into changes (tenant_id, id, at, subject_type, subject_id, action, version, actor_kind,
                           actor_id, actor_name, fields)
      values (${tenantId}, ${makeId()}, clock_timestamp(), 'lead', ${makeId()}, 'updated', 2, 'token',
              'x', 'x', '{"title":["a","b"]}')`;
  },
};

/** Returns the total number of writes per second. */
async function rateOf(side: Side, load: Load, seconds: number): Promise<number> {
  const until_ms = performance.now() + seconds * 1000;
  let done = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < until_ms) {
      await load(side, done++);
    }
  };
  const begun_ms = performance.now();
  await Promise.all(Array.from({ length: WRITERS }, write));
  return (done / (performance.now() - begun_ms)) * 1000;
}

async function measureCost(sides: readonly [Side, Side], rounds: number, seconds: number) {
  head(
    `${WRITERS} writers`,
    "write",
    "with seq, writes/s",
    "without seq, writes/s",
    "ratio",
    "middle half of the rounds",
    "target",
  );
  let isMet = true;
  for (const [name, load] of Object.entries(LOADS)) {
    const rates: [number[], number[]] = [[], []];
    const ratios: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const rate = [0, 0];
      // The side that goes first alternates. The first round is a warm-up.
      for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        rate[at] = await rateOf(sides[at], load, seconds);
        if (round >= 0) rates[at].push(rate[at]);
      }
      if (round >= 0) ratios.push((rate[1] ?? 0) / (rate[0] ?? 0));
    }
    const ratio = median(ratios);
    const hasBar = name === "create" || name === "update";
    if (hasBar && ratio > RATIO_MAX) isMet = false;
    const range = [quantile(ratios, 0.25), quantile(ratios, 0.75)].map((part) => part.toFixed(2));
    const [given, bare] = rates.map((side) => Math.round(median(side)));
    row([
      name,
      given ?? 0,
      bare ?? 0,
      ratio.toFixed(2),
      range.join(" to "),
      hasBar ? RATIO_MAX : "",
    ]);
  }
  return isMet;
}

/** Measures the time from a change's commit until it is settled, while the other writers run. */
async function measureDelay(side: Side, url: string, seconds: number): Promise<void> {
  const apart = connect({ url, connections: 1, listTimeout_ms: 10_000 });
  const horizon = createHorizon(apart.sql);
  const asked_ms: number[] = [];
  const late_ms: number[] = [];
  const writing = rateOf(side, LOADS["update"] as Load, seconds);
  for (const until_ms = performance.now() + seconds * 1000 - 500; performance.now() < until_ms;) {
    const [drawn] = await apart.sql`select last_value from change_positions`;
    const begun_ms = performance.now();
    for (let settled = -1; settled < Number(drawn?.["last_value"]);) {
      const look_ms = performance.now();
      settled = (await horizon.settled({ maxAge_ms: 0 })).seq;
      asked_ms.push(performance.now() - look_ms);
    }
    late_ms.push(performance.now() - begun_ms);
    await delay(50);
  }
  await writing;
  const idle_ms: number[] = [];
  for (let at = 0; at < 200; at++) {
    const begun_ms = performance.now();
    await horizon.settled({ maxAge_ms: 0 });
    idle_ms.push(performance.now() - begun_ms);
  }
  const begun_ms = performance.now();
  for (let at = 0; at < 100_000; at++) await horizon.settled({ maxAge_ms: 60_000 });
  const remembered_ms = (performance.now() - begun_ms) / 100_000;
  await apart.close();
  head("Settled position", "measurement", "median, ms", "p99, ms");
  row(["query while the writers run", ...spread(asked_ms)]);
  row(["until a new position is settled", ...spread(late_ms)]);
  row(["query without writers", ...spread(idle_ms)]);
  row(["from memory", remembered_ms.toFixed(4), ""]);
}

const { values } = readOptions(
  "bench:feed",
  "The cost of the change feed for writes, and its delay.",
  {
    rounds: { value: "<number>", fallback: "20", doc: "Rounds for each kind of write." },
    seconds: { value: "<number>", fallback: "1", doc: "Seconds per round." },
  },
);
const seconds = numberOf(values, "seconds");
const folder = await mkdtemp(join(tmpdir(), "leadport-feed-"));
await chmod(folder, 0o711);
const server = await startEmbedded({ dataDir: join(folder, "data"), connections: 4 * WRITERS });
try {
  const bare = new URL(server.url);
  bare.pathname = "/bare";
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin`create database bare`;
  await Promise.all([migrate(server.url), migrate(bare.href)]);
  await admin.end();
  const sides = [await openSide(server.url), await openSide(bare.href)] as const;
  const { sql } = sides[1].db;
  await sql`drop index changes_of_feed`;
  await sql`alter table changes drop column seq`;
  process.exitCode = (await measureCost(sides, numberOf(values, "rounds"), seconds)) ? 0 : 1;
  await measureDelay(sides[0], server.url, 5);
  for (const { db } of sides) await db.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
