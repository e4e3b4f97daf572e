/** The pool for short reads: several statements share a connection, but none of them waits for a long statement. */

import assert from "node:assert/strict";
import type { FastifyRequest } from "fastify";
import { test } from "node:test";
import {
  forReads,
  guardedBy,
  isUnavailable,
  READ_CONNECTIONS,
  transaction,
} from "../../src/platform/database/index.ts";
import { PIPELINED_MAX } from "../../src/platform/database/pipelined.ts";
import { migratedDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { untilLockWaits } from "../kit/lock-waits.ts";
import { file, openPools } from "../kit/started.ts";

const { url, sql } = await migratedDatabase(file);
const db = openPools(file, { url, connections: 2, listTimeout_ms: 1000 });

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
  const pids = await Promise.all(Array.from({ length: count }, pidOf));
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
  assert.equal(forReads(db.sql), db.reads);
  const request = { raw: { socket: { destroyed: false } } } as FastifyRequest;
  assert.equal(forReads(guardedBy(request, db.sql)), db.reads);
  await transaction(db.sql, async (tx) => assert.equal(forReads(tx), tx));
});
