/** The order of changes, and the position up to which they are settled, while transactions overlap. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { readFeed } from "../../src/events/index.ts";
import { createHorizon } from "../../src/audit/horizon.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { readersOf } from "./feed-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { untilLockWaits } from "../kit/lock-waits.ts";
import { file, openSession } from "../kit/started.ts";
import { intercepted, noting, type TestSql } from "../kit/sql.ts";

const api = await fileApi();
const acme = await api.tenant();
const { nowOf, readOn } = readersOf(api.sql);
const tenantId = acme.tenantId as TenantId;
const scope = { db: api.sql, tenantId, actor: SERVICE };

/** Returns a separate session with an open transaction. */
async function begin(): Promise<TestSql> {
  const session = openSession(file, api.databaseUrl);
  await session`begin`;
  return session;
}

/** Inserts a change in the same way as the service's own statement. Returns its position. */
async function log(db: TestSql, name: string): Promise<number> {
  const [row] = await db`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action, actor_kind,
                         actor_id, actor_name, fields)
    values (${tenantId}, ${name}, clock_timestamp(), 'lead', ${name}, 'updated', 'token', 'x', 'x', '{}')
    returning seq`;
  return Number(row?.["seq"]);
}

const NOW = { maxAge_ms: 0 };
const horizon = createHorizon(api.sql);
/** Returns the names of the settled changes after a position. */
async function told(after: number, from = horizon): Promise<string[]> {
  const { seq } = await from.settled(NOW);
  const question = { after, upTo: seq, types: ["lead"], limit: 100 };
  return (await readFeed(scope, question)).entries.map(({ id }) => id);
}
/** Waits until the settled changes after a position have these names. */
async function tells(after: number, names: readonly string[], from = horizon): Promise<void> {
  let found: string[] = [];
  await eventually(async () => (found = await told(after, from)).length >= names.length);
  assert.deepEqual(found, names);
}
/** Waits until all earlier changes are settled. Returns the position from which a test starts. */
async function begun(): Promise<number> {
  const [row] = await api.sql`select last_value from change_positions`;
  const last = Number(row?.["last_value"]);
  await eventually(async () => (await horizon.settled(NOW)).seq >= last);
  return last;
}

test("a position is drawn by a transaction that has its xid", async () => {
  const session = await begin();
  const [none] = await session`select pg_current_xact_id_if_assigned()::text as xid`;
  assert.equal(none?.["xid"], null);
  const [row] = await session`
    select change_position() as seq, pg_current_xact_id_if_assigned()::text as xid`;
  assert.ok(row?.["seq"] !== null && row?.["xid"] !== null);
  await session`rollback`;
});

test("a committed change is returned after everything drawn before it has ended", async () => {
  const start = await begun();
  const a = await begin();
  const b = await begin();
  const first = await log(a, "a1");
  const second = await log(b, "b1");
  assert.ok(first < second);
  await b`commit`;
  assert.deepEqual(await told(start), []);
  await a`commit`;
  await tells(start, ["a1", "b1"]);
});

test("with overlapping transactions the order of the changes counts, not that of the transactions", async () => {
  const start = await begun();
  const older = await begin();
  const younger = await begin();
  await older`select pg_current_xact_id()`;
  await younger`select pg_current_xact_id()`;
  await log(younger, "c1");
  await younger`commit`;
  await log(older, "c2");
  await older`commit`;
  await tells(start, ["c1", "c2"]);
});

test("a long transaction delays what was drawn after it, and loses nothing", async () => {
  const start = await begun();
  await log(api.sql, "d1");
  // d1 must be settled before the long transaction starts. Otherwise, if another test's transaction delays it, it may
  // settle only after the long transaction ends.
  await tells(start, ["d1"]);
  const long = await begin();
  const held = await log(long, "d2");
  await log(api.sql, "d3");
  assert.deepEqual(await told(start), ["d1"]);
  for (let at = 0; at < 70; at++) await log(api.sql, `d4 ${String(at).padStart(2, "0")}`);
  // The call returns while the transaction is still open.
  assert.ok((await horizon.settled(NOW)).seq < held);
  await long`commit`;
  const others = Array.from({ length: 70 }, (_, at) => `d4 ${String(at).padStart(2, "0")}`);
  await tells(start, ["d1", "d2", "d3", ...others]);
});

test("checks during a long transaction are settled step by step when it ends", async () => {
  const own = createHorizon(api.sql);
  const start = await begun();
  const first = await begin();
  await log(first, "e1");
  for (let at = 0; at < 70; at++) await own.settled(NOW);
  const second = await begin();
  await log(second, "e2");
  await own.settled(NOW);
  await first`commit`;
  await tells(start, ["e1"], own);
  await second`commit`;
  await tells(start, ["e1", "e2"], own);
});

test("a transaction in another database of the server delays nothing", async () => {
  const start = await begun();
  const url = new URL(api.databaseUrl);
  url.pathname = "/postgres";
  const other = openSession(file, url.href);
  await other`begin`;
  await other`select pg_current_xact_id()`;
  await log(api.sql, "o1");
  await tells(start, ["o1"]);
  await other`rollback`;
});

test("catching up waits for all earlier changes, even with a horizon that was never checked", async () => {
  const last = async (): Promise<number> => {
    const [row] = await api.sql`select last_value from change_positions`;
    return Number(row?.["last_value"]);
  };
  const own = createHorizon(api.sql);
  const long = await begin();
  await log(long, "p1");
  const drawn = await last();
  assert.equal(await own.caughtUp({ within_ms: 0 }), undefined);
  assert.equal((await own.settled(NOW)).seq, 0);
  const caughtUp = own.caughtUp({ within_ms: 60_000 });
  await delay(100);
  await long`commit`;
  assert.ok(((await caughtUp) ?? 0) >= drawn);
  assert.ok(((await createHorizon(api.sql).caughtUp({ within_ms: 60_000 })) ?? 0) >= drawn);
});

test("a rolled back change leaves a gap that no reader waits for", async () => {
  const start = await begun();
  const gone = await begin();
  await log(gone, "f1");
  await log(api.sql, "f2");
  await gone`rollback`;
  await tells(start, ["f2"]);
});

test("before the first change nothing is settled, and then the first position is returned", async (t) => {
  const { migratedDatabase } = await import("../kit/database.ts");
  const { sql } = await migratedDatabase(t);
  const own = createHorizon(sql);
  assert.equal((await own.settled(NOW)).seq, 0);
  assert.equal(await log(sql, "h1"), 1);
  await eventually(async () => (await own.settled(NOW)).seq >= 1);
  const { seq } = await own.settled(NOW);
  const question = { after: 0, upTo: seq, types: ["lead"], limit: 100 };
  const { entries } = await readFeed({ ...scope, db: sql }, question);
  assert.deepEqual(
    entries.map(({ id }) => id),
    ["h1"],
  );
});

test("one check serves all concurrent readers, and memory serves readers that accept older results", async () => {
  let statements = 0;
  const own = createHorizon(noting(api.sql, () => (statements += 1)));
  await Promise.all(Array.from({ length: 50 }, () => own.settled(NOW)));
  // Each sample takes two statements, and checking whether it is settled takes a few more.
  assert.ok(statements < 20, `${statements} statements`);
  statements = 0;
  await own.settled({ maxAge_ms: 60_000 });
  assert.equal(statements, 0);
});

test("a reader that comes during a check gets its result, not an older one", async () => {
  const own = createHorizon(api.sql);
  await own.settled(NOW);
  await log(api.sql, "i1");
  const maxAge_ms = 50;
  await delay(2 * maxAge_ms);
  // The second call comes during the check of the first one, and within the maximum age on any machine.
  const [a, b] = await Promise.all([own.settled({ maxAge_ms }), own.settled({ maxAge_ms })]);
  assert.deepEqual(b, a);
});

test("a check that fails, fails its readers, and the next reader checks again", async () => {
  let isDown = true;
  const failing = intercepted(api.sql, {
    submit: (query, send) => (isDown ? query.fail(new Error("down")) : send(query)),
  });
  const own = createHorizon(failing);
  await assert.rejects(own.settled(NOW), /down/);
  await assert.rejects(own.settled({ maxAge_ms: 60_000 }), /down/);
  isDown = false;
  await eventually(async () => (await own.settled(NOW)).at_s > 0);
});

test("a change that waits for its record draws its position when it has the record", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Waited for" })).body;
  const since = await nowOf(acme);
  const holder = await begin();
  await holder`select from leads where tenant_id = ${tenantId} and id = ${_id} for update`;
  const patched = acme.patch(`/crm/leads/${_id}`, { name: "Changed" });
  await untilLockWaits(api.sql, 1);
  await log(holder, "g1");
  await holder`commit`;
  ok(await patched);
  const { changes } = await readOn(acme, since);
  assert.deepEqual(
    changes.map(({ id }) => id),
    ["g1", _id],
  );
});
