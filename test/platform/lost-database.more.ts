/**
 * Connections to a database that disappears, stops responding, or terminates sessions. Statements fail within their
 * time limits, nothing reaches another transaction, and no rejection is unhandled (the runner fails a test that has
 * one).
 */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate as immediately, setTimeout as delay } from "node:timers/promises";
import { transaction, run } from "../../src/platform/database/index.ts";
import { isUnavailable } from "../../src/platform/failed-statements/statement-errors.ts";
import { type Db, type Tx } from "../../src/platform/database/tx.ts";
import { migratedDatabase } from "../kit/database.ts";
import { openWay } from "../kit/database-way.ts";
import { eventually } from "../kit/eventually.ts";
import { openPools } from "../kit/started.ts";

interface Options {
  readonly connections: number;
  readonly listTimeout_ms?: number;
}

/** Opens pools that reach the database through a proxy that the test can break. */
async function behindWay(t: TestContext, { connections, listTimeout_ms = 1000 }: Options) {
  const { url } = await migratedDatabase(t);
  const way = await openWay(t, url);
  const db = openPools(t, { url: way.url, connections, listTimeout_ms });
  return { way, db };
}

const sleep = (sql: Db | Tx) => run(sql)`select pg_sleep(7)`;

const many = (count: number, sql: Db) =>
  Array.from({ length: count }, () => run(sql)`select 1 as one`);

/** Waits until all statements settle. Returns how long that took, how many succeeded, and the errors. */
async function settled(statements: readonly Promise<unknown>[]) {
  const started_ms = performance.now();
  const results = await Promise.allSettled(statements);
  const reasons = results.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  return {
    took_ms: performance.now() - started_ms,
    reasons,
    good: results.length - reasons.length,
  };
}

test("a connection that breaks while it is opened fails its statement alone", async (t) => {
  const { way, db } = await behindWay(t, { connections: 3 });
  way.breakAt("application_name");
  const { reasons } = await settled(many(5, db.sql));
  assert.ok(reasons.length > 0 && reasons.every(isUnavailable), String(reasons[0]));
  await assert.rejects(
    transaction(db.sql, (tx) => run(tx)`select 1`),
    isUnavailable,
  );
  way.breakAt(undefined);
  const [row] = await db.sql`select ${["a", "b"]}::text[] as texts, array[1, 2] as numbers`;
  assert.deepEqual({ ...row }, { texts: ["a", "b"], numbers: [1, 2] });
});

test("statements that wait for an absent database fail at once, and succeed when it is back", async (t) => {
  const { way, db } = await behindWay(t, { connections: 2 });
  await settled(many(2, db.sql));
  await way.shut();
  for (let round = 0; round < 20; round += 1) {
    assert.equal((await settled(many(100, db.sql))).good, 0);
  }
  await way.reopen();
  // The connections that were rejected last may still be closing.
  await eventually(
    () => settled(many(100, db.sql)),
    ({ good }) => good === 100,
  );
});

test("behind a silent database probes fail first, then waiting statements and reads, then writes", async (t) => {
  const { way, db } = await behindWay(t, { connections: 2, listTimeout_ms: 3000 });
  await settled(many(2, db.lists));
  way.freeze();
  const order: string[] = [];
  const failing = async (name: string, statements: readonly Promise<unknown>[]) => {
    const { good, reasons } = await settled(statements);
    order.push(name);
    assert.ok(good === 0 && reasons.every(isUnavailable), `${name}: ${reasons.join()}`);
  };
  await Promise.all([
    // The pool treats only statements that start with "select" as reads.
    failing("write", [db.lists`values (${2}::integer)`]),
    failing("read", [db.lists`select ${2}::integer as two`]),
    failing("waiting", many(50, db.lists)),
    failing("probe", [db.probe`select 1`]),
  ]);
  // The probe fails after 1 s, reads and waiting statements fail after 2 s, and the write fails after the statement
  // timeout.
  const [first, second, third, last] = order;
  assert.deepEqual([first, last], ["probe", "write"]);
  assert.deepEqual(
    [second, third].toSorted((a, b) => String(a).localeCompare(String(b))),
    ["read", "waiting"],
  );
  way.thaw();
  await eventually(
    () => settled(many(20, db.lists)),
    ({ good }) => good === 20,
  );
});

test("statements in flight fail when the database is silent for 5 s, not when it is busy", async (t) => {
  const frozen = await behindWay(t, { connections: 3 });
  const busy = await behindWay(t, { connections: 2 });
  const stay = () => settled([sleep(busy.db.sql), transaction(busy.db.sql, sleep)]);
  const long = stay();
  await settled([...many(2, frozen.db.sql), ...many(2, frozen.db.lists)]);
  const started = Promise.withResolvers<void>();
  const open = transaction(frozen.db.sql, async (tx) => {
    started.resolve();
    await delay(100);
    await run(tx)`select 1`;
  });
  await started.promise;
  frozen.way.freeze();
  const sent = await settled([open, ...many(1, frozen.db.sql)]);
  assert.ok(sent.reasons.length === 2 && sent.reasons.every(isUnavailable), sent.reasons.join());
  assert.ok(sent.took_ms > 5000, `${sent.took_ms} ms`);
  // From now on, statements fail without waiting: in the same turn of the event loop.
  const later = settled([...many(3, frozen.db.lists), ...many(3, frozen.db.sql)]);
  const first = await Promise.race([later, immediately("something else")]);
  assert.notEqual(first, "something else");
  assert.equal((await later).good, 0);
  frozen.way.thaw();
  await eventually(
    () => settled(many(20, frozen.db.sql)),
    ({ good }) => good === 20,
  );
  // On a busy machine, the database can really be silent for a while, but not every time.
  let { good } = await long;
  for (let again = 0; again < 3 && good < 2; again += 1) ({ good } = await stay());
  assert.equal(good, 2);
});

test("behind a pool that is only busy, statements wait until they are next", async (t) => {
  const { db } = await behindWay(t, { connections: 1 });
  for (let round = 1; ; round += 1) {
    let isOver = false;
    const long = transaction(db.sql, async (tx) => {
      await run(tx)`select pg_sleep(3)`;
      isOver = true;
    }).catch(() => undefined);
    const { good } = await settled(many(5, db.sql));
    await long;
    // On a busy machine, the database can really be silent for a while, but not every time.
    if (good < 5 && round < 4) continue;
    return assert.deepEqual([good, isOver], [5, true]);
  }
});

test("a statement that cannot be sent does not affect the one that is running", async (t) => {
  const { db } = await behindWay(t, { connections: 1 });
  const first = db.sql`select pg_sleep(0.2), 1 as number`;
  const wrong = db.sql`select ${undefined}::integer as number`;
  const third = db.sql`select 3 as number`;
  const [one, two, three] = await Promise.allSettled([first, wrong, third]);
  assert.equal(one.status === "fulfilled" && one.value[0]?.["number"], 1);
  assert.match(String(two.status === "rejected" && two.reason), /Undefined values/);
  assert.equal(three.status === "fulfilled" && three.value[0]?.["number"], 3);
});

test("a transaction has its connection alone, however many statements were sent before it", async (t) => {
  const { db } = await behindWay(t, { connections: 1 });
  await db.sql`create table kept (n integer)`;
  const before = many(100, db.sql);
  const rolledBack = transaction(db.sql, async (tx) => {
    await run(tx)`insert into kept values (1)`;
    await delay(50);
    throw new Error("changed my mind");
  });
  const other = settled(before);
  const beside = db.sql`insert into kept values (2)`;
  await assert.rejects(rolledBack, /changed my mind/);
  await beside;
  assert.equal((await other).good, 100);
  const rows = await db.sql`select n from kept`;
  assert.deepEqual(
    rows.map(({ n }) => n as number),
    [2],
  );
});

test("a statement that waits too long for a lock, or runs too long, is ended by the database", async (t) => {
  const { db } = await behindWay(t, { connections: 1 });
  const [row] = await db.sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
  assert.deepEqual({ ...row }, { statement: "20s", lock: "10s" });
});
