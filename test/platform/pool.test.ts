/**
 * The pool and its queries: how values are converted, and that a query affects no other one. In the pool for short reads,
 * several statements share a connection, but none of them waits for a long statement.
 */

import assert from "node:assert/strict";
import type { FastifyRequest } from "fastify";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  forReads,
  guardedBy,
  openCopyIn,
  READ_CONNECTIONS,
  run,
  runRaw,
  transaction,
} from "../../src/platform/database/index.ts";
import { isUnavailable } from "../../src/platform/failed-statements/statement-errors.ts";
import { PIPELINED_MAX } from "../../src/platform/database/db.ts";
import { migratedDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { untilLockWaits } from "../kit/lock-waits.ts";
import { atEnd, file, openPools, openSession } from "../kit/started.ts";

const { url, sql } = await migratedDatabase(file);
const db = openPools(file, { url, connections: 2, listTimeout_ms: 1000 });

const DATE = new Date("2026-03-29T01:30:00.125Z");
const ODD = `"quotes", back\\slash, {braces}, NULL, é, 🙂`;

/** Parameters, the SQL that uses them, and the value that is returned. */
const VALUES: readonly (readonly [string, unknown, unknown])[] = [
  ["$1::text", ODD, ODD],
  ["$1::text", null, null],
  ["$1::int", 7, 7],
  ["$1::bigint", 2 ** 40, 2 ** 40],
  ["$1::bigint", 5n, 5],
  ["$1::float8", 0.1, 0.1],
  ["$1::numeric", 1.5, "1.5"],
  ["$1", true, true],
  ["$1::boolean", false, false],
  ["$1", DATE, DATE],
  ["$1", Buffer.from([0, 92, 255]), Buffer.from([0, 92, 255])],
  ["$1::json", { a: [1, null, ODD] }, { a: [1, null, ODD] }],
  ["$1::text::json", "[1,2]", [1, 2]],
  ["$1::text[]", [ODD, "", null], [ODD, "", null]],
  ["$1::text[]", [], []],
  ["$1::int[]", [1, null, 3], [1, null, 3]],
  ["$1::boolean[]", [true, false], [true, false]],
  ["$1::timestamptz[]", [DATE], [DATE]],
  ["$1::bytea[]", [Buffer.from([0, 255])], [Buffer.from([0, 255])]],
  ["$1::jsonb[]", [{ a: "b" }, null], [{ a: "b" }, null]],
  ["$1::text[]", [["a", "b"]], [["a", "b"]]],
];

for (const prepare of [true, false]) {
  test(`values survive if statements are ${prepare ? "prepared" : "not prepared"}`, async () => {
    for (const [text, given, expected] of VALUES) {
      const statement = { text: `select ${text} as value`, values: [given] };
      const [row] = await run(sql, statement, { prepare });
      assert.deepEqual(row?.["value"], expected, text);
    }
  });
}

test("raw rows are the bytes of each column", async () => {
  const rows = await runRaw(sql)`select ${ODD}::text, null, ''::text from generate_series(1, 2)`;
  const columns = [Buffer.from(ODD), null, Buffer.alloc(0)];
  assert.equal(rows.count, 2);
  for (const row of rows) {
    assert.deepEqual(row.columnsFrom(0), columns);
    assert.deepEqual(
      columns.map((_, at) => row.column(at)),
      columns,
    );
    assert.deepEqual(
      columns.map((_, at) => row.lengthOf(at)),
      [Buffer.byteLength(ODD), -1, 0],
    );
  }
});

test("a row larger than a packet is complete", async () => {
  const [row] = await sql`select repeat('x', 3000000) as text`;
  assert.equal(row?.["text"].length, 3_000_000);
});

test("a text without values can contain several statements", async () => {
  const rows = await sql.unsafe("select 1 as n; select 2 as n union select 3");
  assert.deepEqual([...rows], [{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("a slow or canceled read fails no other request", async () => {
  const slow = Promise.allSettled([db.reads`select pg_sleep(60)`]);
  const others = Array.from({ length: 40 }, async (_, at) => {
    await delay(at * 10);
    const [row] = await db.reads`select ${at}::int as at`;
    return row?.["at"] as number;
  });
  await eventually(
    () => sql`
      select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event = 'PgSleep'`,
    ({ count }) => count > 0,
  );
  const [result] = await slow;
  assert.ok(result?.status === "rejected" && result.reason.code === "57014", String(result));
  assert.deepEqual(
    await Promise.all(others),
    others.map((_, at) => at),
  );
});

test("a row that cannot be handled fails its statement alone", async () => {
  const failing = runRaw(
    db.reads,
    { text: "select 1", values: [] },
    {
      onRow: () => {
        throw new Error("not this one");
      },
    },
  );
  const next = db.reads`select 2 as two`;
  await assert.rejects(failing, /not this one/);
  assert.deepEqual([...(await next)], [{ two: 2 }]);
});

test("a statement is prepared again if the columns of its table have changed", async (t) => {
  const own = openSession(t, url);
  const read = (on: Parameters<typeof run>[0] = own) =>
    run(on, { text: "select * from changing", values: [] }, { prepare: true });
  await own`create table changing (a int)`;
  await own`insert into changing values (1)`;
  assert.deepEqual([...(await read())], [{ a: 1 }]);
  await own`alter table changing add b text default 'new'`;
  assert.deepEqual([...(await read())], [{ a: 1, b: "new" }]);
  await own`alter table changing drop a`;
  // A transaction cannot continue after an error, so it fails with the reason.
  await assert.rejects(transaction(own, read), /cached plan must not change result type/);
  assert.deepEqual([...(await read())], [{ b: "new" }]);
});

test("a statement that cannot be prepared can be prepared later", async (t) => {
  const own = openSession(t, url);
  const count = () => own`select count(*)::int as found from later where ${1}::int = 1`;
  const settled = await Promise.allSettled([count(), count()]);
  assert.deepEqual(
    settled.map((one) => one.status === "rejected" && one.reason.code),
    ["42P01", "42P01"],
  );
  await own`create table later ()`;
  assert.deepEqual([...(await count())], [{ found: 0 }]);
});

test("`sslmode=prefer` connects all sessions and listeners without TLS if the server does not support it", async (t) => {
  const own = openSession(t, `${url}?sslmode=prefer`, { max: 2 });
  const rows = await Promise.all([own`select 1 as one, pg_sleep(0.1)`, own`select 1 as one`]);
  assert.deepEqual(
    rows.map(([row]) => row?.["one"]),
    [1, 1],
  );
  let notices = 0;
  const listener = own.listen("tls", () => (notices += 1));
  atEnd(t, () => listener.end());
  await eventually(() => notices > 0);
  const strict = openSession(t, `${url}?sslmode=require`);
  await assert.rejects(strict`select 1`, (error) => isUnavailable(error));
});

test("a session that the server ends is not used again", async (t) => {
  const own = openSession(t, url);
  const settled = await Promise.allSettled([
    own`select pg_terminate_backend(pg_backend_pid())`,
    own`select 1`,
  ]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["rejected", "fulfilled"],
  );
});

test("a transaction that the server has ended fails as if the connection was lost", async (t) => {
  const own = openSession(t, url);
  const tried = transaction(own, async (tx) => {
    await run(tx)`set local idle_in_transaction_session_timeout = 50`;
    await eventually(
      () => sql`select from pg_stat_activity where query like 'set local idle_in_tr%'`,
      ({ count }) => count === 0,
    );
    await run(tx)`select 1`;
  });
  await assert.rejects(tried, (error) => isUnavailable(error));
});

test("a statement that is sent again fails with the error of its second attempt", async (t) => {
  const own = openSession(t, url);
  await own`create table twice (a int unique)`;
  const add = () =>
    run(own, { text: "insert into twice values (1) returning *", values: [] }, { prepare: true });
  await add();
  await own`alter table twice add b text`;
  await assert.rejects(add(), { code: "23505" });
});

test("a statement sees what was committed while the one before it waited for a lock", async (t) => {
  const own = openSession(t, url);
  await sql`create table turns (a int)`;
  const first = { text: "select from pg_advisory_xact_lock($1) l where l is null", values: [7n] };
  const add = { text: "insert into turns select count(*) from turns returning a", values: [] };
  const added = () => run(own, add, { prepare: true, first });
  await transaction(db.sql, async (tx) => {
    await run(tx, first);
    const waiting = added();
    await untilLockWaits(sql, 1);
    await run(tx)`insert into turns values (0)`;
    return { waiting };
  }).then(async ({ waiting }) => assert.deepEqual([...(await waiting)], [{ a: 1 }]));
  assert.deepEqual([...(await added())], [{ a: 2 }]);
});

const numbered = (n: number) => ({ text: `select ${n} as n`, values: [] });

test("two statements that are sent together are not closed to make room for each other", async (t) => {
  const own = openSession(t, url);
  const first = { text: "select from generate_series(1, 0)", values: [] };
  await run(own, numbered(0), { prepare: true, first });
  // A connection has at most 2,000 prepared statements. The oldest are now the two.
  for (let n = 1; n < 1_999; n += 1) await run(own, numbered(n), { prepare: true });
  for (const n of [2_000, 2_001, 2_002]) {
    assert.deepEqual([...(await run(own, numbered(n), { prepare: true, first }))], [{ n }]);
  }
});

test("if one of two statements that are sent together fails, neither has an effect", async (t) => {
  const own = openSession(t, url);
  await sql`create table pairs (a int unique)`;
  const insert = "insert into pairs select $1::int where $2::int / $1 is not null";
  const pair = (a: number, b: number) =>
    run(
      own,
      { text: `${insert} and true`, values: [b, 1] },
      { first: { text: insert, values: [a, 1] } },
    );
  for (const [a, b, code] of [
    [0, 1, "22012"],
    [1, 0, "22012"],
    [2, 2, "23505"],
  ] as const) {
    await assert.rejects(pair(a, b), { code });
  }
  await pair(3, 4);
  assert.deepEqual([...(await sql`select a from pairs order by a`)], [{ a: 3 }, { a: 4 }]);
});

test("a transaction fails if a statement failed for which it did not wait", async (t) => {
  const own = openSession(t, url);
  const tried = transaction(own, async (tx) => {
    void run(tx)`select 1 / 0`.catch(() => undefined);
  });
  await assert.rejects(tried, /division by zero/);
});

test("rows that cannot be copied fail their caller alone", async () => {
  await assert.rejects(openCopyIn(db.sql, "copy missing from stdin"), { code: "42P01" });
  assert.equal((await db.sql`select 1`).count, 1);
});

test("functions and symbols are not sent as text", async () => {
  for (const value of [() => 1, Symbol("a")]) {
    await assert.rejects(run(db.sql)`select ${value as never}`, /is not a value/);
  }
});

test("a connection string can contain session settings, and parameters of libpq are ignored", async (t) => {
  const own = openSession(t, `${url}?application_name=from%20url&connect_timeout=10`, {
    settings: { application_name: "ours", statement_timeout: 1234 },
  });
  const [row] = await own`
    select current_setting('application_name') as name, current_setting('statement_timeout') as most`;
  assert.deepEqual(row, { name: "from url", most: "1234ms" });
});

const pidOf = async (): Promise<number> => {
  const [row] = await db.reads`select pg_backend_pid() as pid`;
  return row?.["pid"] as number;
};
const distinct = (values: readonly number[]): number => new Set(values).size;

test("statements of one moment share a connection, and each gets its own result", async () => {
  await pidOf();
  const asked = Array.from({ length: PIPELINED_MAX }, (_, at) => at);
  // On a busy machine, sending the statements may take so long that another connection is used.
  await eventually(
    async () => {
      const rows = await Promise.all(
        asked.map((at) => db.reads`select ${at}::integer as at, pg_backend_pid() as pid`),
      );
      assert.deepEqual(
        rows.map(([row]) => row?.["at"] as number),
        asked,
      );
      return distinct(rows.map(([row]) => row?.["pid"] as number));
    },
    (sessions) => sessions === 1,
  );
});

test("statements beyond those of one connection use the others, and the rest wait", async () => {
  const count = PIPELINED_MAX * READ_CONNECTIONS * 2;
  // Each statement takes long enough for the other connections to be opened.
  const pids = await Promise.all(
    Array.from({ length: count }, async () => {
      const [row] = await db.reads`select pg_backend_pid() as pid, pg_sleep(0.01)`;
      return row?.["pid"] as number;
    }),
  );
  assert.equal(pids.length, count);
  assert.ok(distinct(pids) > 1 && distinct(pids) <= READ_CONNECTIONS, `${distinct(pids)} sessions`);
});

test("a statement that fails does not affect the others", async () => {
  const settled = await Promise.allSettled(
    [4, 2, 0, 1].map((by) => db.reads`select 8 / ${by}::integer as got`),
  );
  assert.deepEqual(
    settled.map((one) => (one.status === "fulfilled" ? one.value[0]?.["got"] : one.reason.message)),
    [2, 4, "division by zero", 8],
  );
});

test("no statement is sent behind one that takes long", async () => {
  const order: string[] = [];
  let long: Promise<unknown> | undefined;
  // The long statement waits for this transaction to end. A short one behind it would fail when the wait times out.
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`;
    long = db.reads`select pg_advisory_xact_lock(1)`.then(() => order.push("long"));
    await untilLockWaits(sql, 1);
    await Promise.all(Array.from({ length: PIPELINED_MAX * 2 }, pidOf));
    order.push("short");
  });
  await long;
  assert.deepEqual(order, ["short", "long"]);
});

test("the pool for short reads rejects writes", async () => {
  await assert.rejects(db.reads`create table written (n integer)`, /read-only transaction/);
});

test("statements whose session ends fail, and the next ones run", async () => {
  const sleeping = Array.from({ length: 3 }, () => db.reads`select pg_sleep(60)`);
  const settled = Promise.allSettled(sleeping);
  let areSettled = false;
  void settled.then(() => (areSettled = true));
  const ended: number[] = [];
  // On a busy machine, the statements may be sent on several connections.
  await eventually(async () => {
    const sessions = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and state = 'active' and query like '%pg_sleep(60)%'`;
    for (const { pid } of sessions) {
      await sql`select pg_terminate_backend(${pid})`;
      ended.push(pid);
    }
    return areSettled;
  });
  for (const one of await settled) {
    assert.equal(one.status, "rejected");
    assert.ok(isUnavailable(one.reason), String(one.reason));
  }
  assert.ok(!ended.includes(await pidOf()));
});

test("`forReads` returns this pool, also behind a start guard, and inside a transaction the transaction", async () => {
  assert.equal(forReads(db.sql), db.sql.reads);
  const request = { raw: { socket: { destroyed: false } } } as FastifyRequest;
  assert.equal(forReads(guardedBy(request, db.sql)), db.sql.reads);
  await transaction(db.sql, async (tx) => assert.equal(forReads(tx), tx));
});
