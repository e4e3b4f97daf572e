/** The order of changes and what of it is settled, under transactions that cross. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import postgres from "postgres";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { readFeed } from "../../src/events/index.ts";
import { createHorizon } from "../../src/platform/horizon.ts";
import { fileApi } from "../api/file-api.ts";
import { ok } from "../api/samples.ts";
import { readOn, nowOf, until } from "./feed-kit.ts";

const api = await fileApi();
const acme = await api.tenant();
const tenantId = acme.tenantId as TenantId;
const scope = { db: api.sql, tenantId, actor: SERVICE };

const sessions: postgres.Sql[] = [];
after(() => Promise.all(sessions.map((session) => session.end({ timeout: 1 }))));

/** A session of its own in an open transaction. */
async function begin(): Promise<postgres.Sql> {
  const session = postgres(api.databaseUrl, { max: 1 });
  sessions.push(session);
  await session`begin`;
  return session;
}

/** Logs a change as its statement would, and answers its position. */
async function log(db: postgres.Sql, name: string): Promise<number> {
  const [row] = await db`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action, actor_kind,
                         actor_id, actor_name, fields)
    values (${tenantId}, ${name}, clock_timestamp(), 'lead', ${name}, 'updated', 'token', 'x', 'x', '{}')
    returning seq`;
  return Number(row?.["seq"]);
}

const NOW = { maxAge_ms: 0 };
const horizon = createHorizon(api.sql);
/** The names that are told behind a position. */
async function told(after: number, from = horizon): Promise<string[]> {
  const { seq } = await from.settled(NOW);
  const question = { after, upTo: seq, types: ["lead"], limit: 100 };
  return (await readFeed(scope, question)).entries.map(({ id }) => id);
}
const begun = async (): Promise<number> => (await horizon.settled(NOW)).seq;

test("a position is drawn by a transaction that has its xid", async () => {
  const session = await begin();
  const [none] = await session`select pg_current_xact_id_if_assigned()::text as xid`;
  assert.equal(none?.["xid"], null);
  const [row] = await session`
    select change_position() as seq, pg_current_xact_id_if_assigned()::text as xid`;
  assert.ok(row?.["seq"] !== null && row?.["xid"] !== null);
  await session`rollback`;
});

test("what committed is told after what was drawn before it has ended", async () => {
  const start = await begun();
  const [a, b] = [await begin(), await begin()];
  const [first, second] = [await log(a, "a1"), await log(b, "b1")];
  assert.ok(first < second);
  await b`commit`;
  assert.deepEqual(await told(start), []);
  await a`commit`;
  assert.deepEqual(await told(start), ["a1", "b1"]);
});

test("of crossing transactions the order of the changes counts, not that of the transactions", async () => {
  const start = await begun();
  const [older, younger] = [await begin(), await begin()];
  await older`select pg_current_xact_id()`;
  await younger`select pg_current_xact_id()`;
  await log(younger, "c1");
  await younger`commit`;
  await log(older, "c2");
  await older`commit`;
  assert.deepEqual(await told(start), ["c1", "c2"]);
});

test("a long transaction delays what was drawn after it, and loses nothing", async () => {
  const start = await begun();
  await log(api.sql, "d1");
  const long = await begin();
  await log(long, "d2");
  await log(api.sql, "d3");
  const before = await horizon.settled(NOW);
  assert.deepEqual(await told(start), []);
  // A look that was taken before the long one began is settled by what began before it alone.
  for (let at = 0; at < 70; at++) await log(api.sql, `d4 ${String(at).padStart(2, "0")}`);
  const asked = performance.now();
  assert.deepEqual(await horizon.settled(NOW), before);
  assert.ok(performance.now() - asked < 200, "nobody waits for a long transaction");
  await long`commit`;
  assert.deepEqual((await told(start)).slice(0, 4), ["d1", "d2", "d3", "d4 00"]);
  assert.equal((await told(start)).length, 73);
});

test("looks beside a long transaction are settled step by step when it ends", async () => {
  const own = createHorizon(api.sql);
  const start = await begun();
  const first = await begin();
  await log(first, "e1");
  for (let at = 0; at < 70; at++) await own.settled(NOW);
  const second = await begin();
  await log(second, "e2");
  await own.settled(NOW);
  await first`commit`;
  assert.deepEqual(await told(start, own), ["e1"]);
  await second`commit`;
  assert.deepEqual(await told(start, own), ["e1", "e2"]);
});

test("what was rolled back leaves a gap that nobody waits for", async () => {
  const start = await begun();
  const gone = await begin();
  await log(gone, "f1");
  await log(api.sql, "f2");
  await gone`rollback`;
  assert.deepEqual(await told(start), ["f2"]);
});

test("where nothing was ever drawn nothing is settled, and the first position is told", async () => {
  await api.sql`create sequence fresh_positions`;
  const [row] = await api.sql`
    select case when is_called then last_value else 0 end as seq from fresh_positions`;
  assert.equal(Number(row?.["seq"]), 0);
});

test("one look serves all who ask at once, and memory those who do not mind", async () => {
  const asked = async (): Promise<number> => {
    const [row] = await api.sql`select pg_current_xact_id()::text::bigint as xid`;
    return Number(row?.["xid"]);
  };
  const before = await asked();
  await Promise.all(Array.from({ length: 50 }, () => horizon.settled(NOW)));
  const after = await asked();
  assert.ok(after - before <= 3, `${after - before} transactions`);
  await horizon.settled({ maxAge_ms: 60_000 });
  assert.equal((await asked()) - after, 1);
});

test("a look that fails is told to whom it serves, and the next is taken anew", async () => {
  let isDown = true;
  const failing = new Proxy(api.sql, {
    apply: (target, self, given) =>
      isDown ? Promise.reject(new Error("down")) : Reflect.apply(target as never, self, given),
  });
  const own = createHorizon(failing);
  await assert.rejects(own.settled(NOW), /down/);
  isDown = false;
  assert.ok((await own.settled(NOW)).at_s > 0);
});

test("a change that waits for its record draws when it has it", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Waited for" })).body;
  const since = await nowOf(acme);
  const holder = await begin();
  await holder`select from leads where tenant_id = ${tenantId} and id = ${_id} for update`;
  const patched = acme.patch(`/crm/leads/${_id}`, { name: "Changed" });
  await until(async () => {
    const [row] = await api.sql`
      select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`;
    return Number(row?.["count"]) > 0;
  });
  await log(holder, "g1");
  await holder`commit`;
  ok(await patched);
  const { changes } = await readOn(acme, since);
  assert.deepEqual(
    changes.map(({ id }) => id),
    ["g1", _id],
  );
});
