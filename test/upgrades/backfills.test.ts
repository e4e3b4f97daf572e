/** Back-fills reach every row, even if they are interrupted or if requests and earlier releases write meanwhile. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { pino } from "pino";
import { addBackfills, runBatch } from "../../src/platform/migrations/backfill.ts";
import {
  backfillTask,
  migrate,
  readBackfills,
  registerProcess,
} from "../../src/platform/migrations/index.ts";
import { laterRelease, nextRelease, noticesDatabase } from "./release-kit.ts";

/** Returns a database that the next release has migrated, and its back-fill. */
async function started(t: TestContext, rows: number) {
  const world = await noticesDatabase(t, rows);
  const migrations = nextRelease(t);
  await migrate(world.url, undefined, { migrations });
  const [backfill] = migrations.backfills;
  assert.ok(backfill);
  await addBackfills(world.db.sql, [backfill]);
  return { ...world, backfill, migrations };
}

test("a back-fill continues where another process stopped", async (t) => {
  const { db, backfill, missing, migrations } = await started(t, 2_500);
  assert.equal(await runBatch(db.sql, backfill), "more");
  assert.equal(await missing(), 1_500);
  assert.deepEqual(
    [...(await readBackfills(db.sql))],
    [{ name: "notice_sizes", rows_done: 1_000, rows_total: 2_500, is_finished: false }],
  );
  const task = backfillTask(db.sql, pino({ enabled: false }), migrations);
  while (await task());
  assert.equal(await missing(), 0);
  assert.deepEqual(
    [...(await readBackfills(db.sql))],
    [{ name: "notice_sizes", rows_done: 2_500, rows_total: 2_500, is_finished: true }],
  );
});

test("rows that requests are changing are filled in another pass", async (t) => {
  const { sql, db, backfill, missing } = await started(t, 10);
  await sql.begin(async (tx) => {
    await tx`update notices set text = 'changed' where id = 3`;
    assert.equal(await runBatch(db.sql, backfill), "more");
    assert.equal(await missing(), 1);
  });
  assert.equal(await runBatch(db.sql, backfill), "finished");
  assert.equal(await missing(), 0);
});

test("rows that an earlier release writes meanwhile are filled after it has ended", async (t) => {
  const { sql, db, backfill, missing } = await started(t, 10);
  const { close } = await registerProcess(db, "service", console);
  assert.equal(await runBatch(db.sql, backfill), "more");
  await sql`insert into notices (author, id, text) values ('author 0', 0, 'late')`;
  assert.equal(await runBatch(db.sql, backfill), "waiting");
  await close();
  assert.equal(await runBatch(db.sql, backfill), "finished");
  assert.equal(await missing(), 0);
});

test("a back-fill starts again if an earlier release is started after its end", async (t) => {
  const { sql, db, missing, migrations } = await started(t, 10);
  const task = backfillTask(db.sql, pino({ enabled: false }), migrations);
  while (await task());
  const { close } = await registerProcess(db, "service", console);
  await sql`insert into notices (author, id, text) values ('author 0', 0, 'late')`;
  const [restarted] = await readBackfills(db.sql);
  assert.equal(restarted?.is_finished, false);
  await close();
  while (await task());
  assert.equal(await missing(), 0);
});

test("of two processes, one runs a batch and the other does not wait", async (t) => {
  const { sql, db, backfill } = await started(t, 10);
  await sql.begin(async (tx) => {
    await tx`select from backfills for update`;
    assert.equal(await runBatch(db.sql, backfill), "busy");
  });
  assert.equal(await runBatch(db.sql, backfill), "finished");
  assert.equal(await runBatch(db.sql, backfill), "finished");
});

test("a direct upgrade over two releases completes the back-fill between them", async (t) => {
  const { url, sql, missing } = await noticesDatabase(t, 1_500);
  await migrate(url, undefined, { migrations: laterRelease(t) });
  assert.equal(await missing(), 0);
  await assert.rejects(
    sql`insert into notices (author, id, text) values ('a', 1, 'x')`,
    /null value in column "size"/,
  );
});

test("a database that is migrated for a tenant file has no back-fill left", async (t) => {
  const { url, missing } = await noticesDatabase(t, 1_500);
  await migrate(url, undefined, { migrations: nextRelease(t), completes: true });
  assert.equal(await missing(), 0);
});
