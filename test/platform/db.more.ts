/** Transactions whose session PostgreSQL terminates: they fail, but neither the process nor the pool is affected. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { transaction, run } from "../../src/platform/database/index.ts";
import { isUnavailable } from "../../src/platform/failed-statements/statement-errors.ts";
import { type Db, type Tx } from "../../src/platform/database/tx.ts";
import { openGate } from "../chaos/gate.ts";
import { migratedDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { casesOf } from "../kit/long.ts";
import { openPools } from "../kit/started.ts";

const CONNECTIONS = 2;

const endSession = (tx: Tx) => run(tx)`select pg_terminate_backend(pg_backend_pid())`;

const WAYS: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  "in its last statement": endSession,
  "in a statement, whose failure is passed over": async (tx) => {
    await endSession(tx).catch(() => undefined);
    await run(tx)`select 1`;
  },
  "between two statements": async (tx) => {
    await endSession(tx).catch(() => undefined);
    await delay(50);
    await run(tx)`select 1`;
  },
  "before it would commit": async (tx) => {
    await endSession(tx).catch(() => undefined);
    await delay(50);
  },
  "under a composed query": async (tx) => {
    await endSession(tx).catch(() => undefined);
    await delay(50);
    await run(tx, { text: "select 1", values: [] });
  },
  "while several statements wait": (tx) =>
    Promise.all([endSession(tx), run(tx)`select 1`, run(tx)`select 2`]),
};

for (const [when, work] of Object.entries(WAYS)) {
  test(`a session that ends ${when} fails the transaction, and the pool continues`, async (t) => {
    const { url } = await migratedDatabase(t);
    const db = openPools(t, { url, connections: CONNECTIONS, listTimeout_ms: 1000 });
    // More rounds than the pool has connections, so that a connection lost for good would be noticed.
    for (let round = 0; round < CONNECTIONS * 2; round += 1) {
      await assert.rejects(transaction(db.sql, work), isUnavailable);
    }
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => db.sql`select ${at}::integer as at`),
    );
    const good = answers.filter(({ status }) => status === "fulfilled");
    assert.ok(good.length >= 20 - CONNECTIONS * 2, `${good.length} of 20`);
    const [row] = await db.sql`select 1 as one`;
    assert.equal(row?.["one"], 1);
  });
}

test("a statement that fails after its first rows leaves the next result complete", async (t) => {
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: 1, listTimeout_ms: 1000 });
  const failing = db.sql`select 1 / (4 - n) from generate_series(1, 10) n`;
  await assert.rejects(failing, /division by zero/);
  const rows = await db.sql`select n from generate_series(1, 3) n`;
  assert.deepEqual([...rows], [{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("a transaction that throws is rolled back with its error", async (t) => {
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: CONNECTIONS, listTimeout_ms: 1000 });
  await db.sql`create table kept (n integer)`;
  const failing = transaction(db.sql, async (tx) => {
    await run(tx)`insert into kept values (1)`;
    throw new Error("changed my mind");
  });
  await assert.rejects(failing, /changed my mind/);
  assert.equal((await db.sql`select from kept`).length, 0);
});

test("a part of a transaction fails without the rest", async (t) => {
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: CONNECTIONS, listTimeout_ms: 1000 });
  await db.sql`create table kept (n integer)`;
  await transaction(db.sql, async (tx) => {
    await run(tx)`insert into kept values (1)`;
    const part = transaction(tx, async (within) => {
      await run(within)`insert into kept values (2)`;
      await run(within)`select 1 / 0`;
    });
    await assert.rejects(part, /division by zero/);
    await transaction(tx, (within) => run(within)`insert into kept values (3)`);
  });
  assert.deepEqual(
    (await db.sql`select n from kept order by n`).map((row) => row["n"] as number),
    [1, 3],
  );
});

/** What a nested transaction does if its session is terminated while no statement is running. */
const LOST_PARTS: Readonly<Record<string, (part: Tx) => Promise<unknown>>> = {
  throws: () => Promise.reject(new Error("thrown")),
  continues: (part) => run(part)`select 1`,
  "begins another part": (part) => transaction(part, (within) => run(within)`select 1`),
  ends: async () => undefined,
};

for (const [what, then] of Object.entries(LOST_PARTS)) {
  test(`a part that ${what} after its session ended leaves the next transaction alone`, async (t) => {
    const { sql, url } = await migratedDatabase(t);
    const db = openPools(t, { url, connections: 1, listTimeout_ms: 1000 });
    const lost = transaction(db.sql, (tx) =>
      transaction(tx, async (part) => {
        const [row] = await run(part)`select pg_backend_pid() as pid`;
        await sql`select pg_terminate_backend(${row?.["pid"] as number})`;
        await delay(300);
        return then(part);
      }),
    );
    // Waits for the only connection and gets it once the terminated session has ended.
    const next = transaction(db.sql, async (tx) => {
      await run(tx)`select 1`;
      await delay(600);
      await run(tx)`create table kept (n integer)`;
      return "done";
    });
    await assert.rejects(lost, isUnavailable);
    assert.equal(await next, "done");
    assert.equal((await db.sql`select from kept`).length, 0);
  });
}

/** What the pool's only connection is doing when an ended transaction sends another statement. */
const WHILE: Readonly<Record<string, (db: Db, late: () => Promise<void>) => Promise<unknown>>> = {
  "nothing runs": (_, late) => late(),
  "another transaction is between two statements": (db, late) =>
    transaction(db, async (tx) => {
      await run(tx)`select 1`;
      await late();
    }),
  "another transaction runs a statement": (db, late) =>
    transaction(db, async (tx) => {
      await Promise.all([run(tx)`select pg_sleep(0.3)`, delay(100).then(late)]);
    }),
};

for (const how of ["commits", "fails"] as const) {
  for (const [when, then] of Object.entries(WHILE)) {
    test(`a statement of a transaction that ${how} is rejected afterwards while ${when}`, async (t) => {
      const { url } = await migratedDatabase(t);
      const db = openPools(t, { url, connections: 1, listTimeout_ms: 1000 });
      await db.sql`create table kept (n integer)`;
      const ended = Promise.withResolvers<{ readonly tx: Tx }>();
      const first = transaction(db.sql, async (tx) => {
        ended.resolve({ tx });
        await run(tx)`select 1`;
        if (how === "fails") throw new Error("changed my mind");
      });
      await (how === "fails" ? assert.rejects(first, /changed my mind/) : first);
      const { tx } = await ended.promise;
      await then(db.sql, () =>
        assert.rejects(async () => run(tx)`insert into kept values (1)`, /already ended/),
      );
      assert.equal((await db.sql`select from kept`).length, 0);
    });
  }
}

/** Opens pools whose connections to the database run through a gate. `direct` is a connection without the gate. */
async function openGatedPools(t: TestContext) {
  const { sql: direct, url } = await migratedDatabase(t);
  const address = new URL(url);
  const ports = [Number(address.port)];
  const gate = await openGate(t, { ports: () => ports, lostShare: 0, random: Math.random });
  address.port = String(gate.port);
  const db = openPools(t, { url: address.href, connections: 1, listTimeout_ms: 20_000 });
  return { gate, db, direct };
}

const isOne = (rows: readonly { readonly one?: unknown }[]): boolean => rows[0]?.one === 1;

/** Asserts that a statement either succeeds or fails because the connection is lost, but never hangs. */
const settles = (sent: Promise<readonly object[]>): Promise<void> =>
  sent.then(
    (rows) => assert.ok(isOne(rows)),
    (error: unknown) => assert.ok(isUnavailable(error), String(error)),
  );

const POOLS = ["sql", "reads", "lists"] as const;

for (const pool of casesOf(POOLS, 1)) {
  test(`${pool}: a statement sent when another one fails by a connection reset settles`, async (t) => {
    const { gate, db, direct } = await openGatedPools(t);
    await db[pool]`select 1 as one`;
    const running = db[pool]`select pg_sleep(60)`;
    const next = running.then(
      () => assert.fail("The statement must fail."),
      (error: unknown) => {
        assert.ok(isUnavailable(error), String(error));
        return settles(db[pool]`select 1 as one`);
      },
    );
    await eventually(
      () => direct`
        select from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'`,
      ({ count }) => count > 0,
    );
    gate.reset();
    await next;
    await eventually(() => db[pool]`select 1 as one`.catch(() => []), isOne);
  });

  test(`${pool}: a statement sent at any moment of an idle connection's reset settles`, async (t) => {
    const { gate, db } = await openGatedPools(t);
    // Between the error and the close of a socket, the event loop runs only immediates.
    for (const turns of [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64]) {
      await eventually(() => db[pool]`select 1 as one`.catch(() => []), isOne);
      gate.reset();
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      const sent: Promise<void>[] = [];
      for (let turn = 0; turn < 50; turn += 1) {
        sent.push(settles(db[pool]`select 1 as one`));
        await new Promise(setImmediate);
      }
      await Promise.all(sent);
    }
  });
}

test("a statement sent behind the commit is rejected, and its connection stays usable", async (t) => {
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: 1, listTimeout_ms: 1000 });
  await db.sql`create table kept (n integer)`;
  let late: Promise<void> | undefined;
  await transaction(db.sql, async (tx) => {
    await run(tx)`insert into kept values (1)`;
    // Send this statement after the commit was sent, but before its result arrives.
    late = Promise.resolve()
      .then(() => new Promise(setImmediate))
      .then(() =>
        assert.rejects(async () => run(tx)`insert into kept values (2)`, /already ended/),
      );
  });
  await late;
  assert.equal((await db.sql`select from kept`).length, 1);
});
