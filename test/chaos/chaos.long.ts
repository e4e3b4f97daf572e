/**
 * Kills the service's processes and cuts their connections to PostgreSQL and to clients, repeatedly
 * for ten minutes. Meanwhile, writes must be safe, and reads must be complete.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createTenant } from "../../src/access/create-tenant.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { migratedDatabase } from "../kit/database.ts";
import { randomFrom } from "../kit/random.ts";
import { createAsker } from "./asking.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { listenToChanges, pollChanges, startCursor, type Change, type Reader } from "./readers.ts";
import { readStore } from "./stored.ts";
import { emptyLedger, keepWriting } from "./writers.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd } from "../kit/started.ts";
import type { TestSql } from "../kit/sql.ts";

const CHAOS_s = 600;
/**
 * The minimum number of killed processes. If processes are slow to start, the test runs until this number is reached.
 */
const KILLED_MIN = Math.max(3, CHAOS_s / 10);
/** How much longer to continue, if the faults have not yet affected every reader and the writers. */
const LONGER_ms = 300_000;
const WRITERS = 16;
const SHARED = 3;

test(`${CHAOS_s} s of killing: every acknowledged write is stored once, and every reader saw it in order`, async (t) => {
  const readers: Record<string, Reader> = {};
  let isOver = false;
  const key = randomBytes(32);
  const { sql, url: databaseUrl } = await migratedDatabase(t);
  const clock = systemClock();
  const made = await createTenant(sql, { clock, makeId: idSource(clock) }, { name: "Chaos" });
  const { tenant, ownerToken } = made;
  const random = randomFrom(20_261_121);
  const fleet = await startFleet(t, { databaseUrl, key: key.toString("base64"), random });
  // Readers and writers stop before the service does.
  atEnd(t, async () => {
    isOver = true;
    fleet.calm();
    for (const line of fleet.failures()) t.diagnostic(line);
    await Promise.allSettled(Object.values(readers).map((reader) => reader.stop()));
  });
  const asker = createAsker(fleet.url, ownerToken);
  // Get the cursor before anything is written. The cursor refers to the settled position, which can lag behind while
  // transactions are open.
  const since = await startCursor(asker);
  const shared = await Promise.all(
    Array.from({ length: SHARED }, async (_, at) => {
      const body = { name: `Counter ${at}`, comments: "0" };
      const told = await asker.ask({ method: "POST", path: "/crm/leads", body });
      return String(told.body._id);
    }),
  );
  readers["poll"] = pollChanges(createAsker(fleet.url, ownerToken), since);
  readers["stream"] = listenToChanges(fleet.url, ownerToken, since);
  const ledger = emptyLedger();
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, at) =>
      keepWriting({ name: `w${at}`, asker, ledger, shared, random }, () => isOver),
    ),
  );
  const hasHappened = () =>
    asker.tally.replays > 0 &&
    ledger.stale > 0 &&
    Object.values(readers).every(({ breaks }) => breaks() > 0);
  const ended = await Promise.race([writing, plague({ fleet, sql, random, hasHappened })]);
  assert.ok(typeof ended === "number", "a writer ended early");
  fleet.calm();
  await fleet.settle();
  isOver = true;
  await writing;

  const told = await toldChanges(sql, tenant.id);
  // If a reader misses a change, the comparison of both lists below detects it.
  for (const { seen } of Object.values(readers)) {
    await eventually(
      () => seen.length,
      (count) => count >= told.length,
    );
  }
  for (const [name, reader] of Object.entries(readers)) {
    await reader.stop();
    assert.deepEqual(reader.seen.map(plain), told, `the reader by ${name}`);
    assert.ok(reader.breaks() > 0, `the reader by ${name} was never cut`);
  }
  const stored = await readStore(sql, tenant.id, ledger, shared);
  stored.check();
  assert.deepEqual(fleet.crashes(), [], "processes ended by themselves");
  assert.ok(
    asker.tally.replays > 0 && ledger.stale > 0,
    "responses were lost, and reads were stale",
  );
  t.diagnostic(
    `${stored.records} records, ${told.length} changes, ${fleet.killed()} processes killed, ` +
      `${ended} database sessions ended, ${fleet.cuts()} connections cut, stream cut ` +
      `${readers["stream"]?.breaks()} times, ${ledger.stale} stale edits, ${JSON.stringify(asker.tally)}`,
  );
});

interface Plague {
  readonly fleet: Fleet;
  readonly sql: TestSql;
  readonly random: () => number;
  readonly hasHappened: () => boolean;
}

/** Kills processes, sessions and connections until the time is up. Returns the number of terminated sessions. */
async function plague({ fleet, sql, random, hasHappened }: Plague): Promise<number> {
  let sessions = 0;
  const until = performance.now() + CHAOS_s * 1000;
  const mustGoOn = () => performance.now() < until + LONGER_ms && !hasHappened();
  while (performance.now() < until || fleet.killed() < KILLED_MIN || mustGoOn()) {
    await sleep(100 + random() * 900);
    const die = random();
    if (die < 0.35) fleet.killOne();
    else if (die < 0.7) fleet.cut(0.5);
    else {
      const rows = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'leadport%'
         order by random() limit 3`;
      sessions += rows.length;
    }
  }
  return sessions;
}

const plain = ({ type, id, action, version }: Change) => ({ type, id, action, version });

/** Returns the change table's rows in feed order. */
async function toldChanges(sql: TestSql, tenantId: string) {
  const rows = await sql`
    select subject_type as type, subject_id as id, action, version from changes
     where tenant_id = ${tenantId} and subject_type in ('lead', 'contact', 'task')
     order by seq`;
  return rows.map((row) => plain(row as unknown as Change));
}
