/** The previous release serves the database of the next one, and older ones are refused: docs/upgrading.md. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { transaction } from "../../src/platform/database/index.ts";
import {
  migrate,
  migrationState,
  mustBeMigrated,
  registerProcess,
  requireProgram,
  runningProcesses,
} from "../../src/platform/migrations/index.ts";
import { eventually } from "../kit/eventually.ts";
import { OlderProcesses } from "../../src/platform/migrations/require-program.ts";
import {
  LATER,
  laterRelease,
  NEXT,
  nextRelease,
  noticesDatabase,
  OWN,
  releaseWith,
} from "./release-kit.ts";

test("the previous release serves the database of the next one", async (t) => {
  const { url, db } = await noticesDatabase(t, 10);
  const migrated = await migrate(url, undefined, { migrations: nextRelease(t) });
  assert.deepEqual(migrated, { from: OWN, to: NEXT });
  assert.deepEqual(await migrationState(db.probe), { current: NEXT, wanted: OWN, ready: true });
  await mustBeMigrated(db.sql);
  assert.deepEqual(await migrate(url), { from: NEXT, to: NEXT });
  const { close } = await registerProcess(db, "service", console);
  await close();
});

test("after a contract step, earlier releases do not start and are not ready", async (t) => {
  const { url, db } = await noticesDatabase(t, 10);
  await migrate(url, undefined, { migrations: laterRelease(t) });
  const expected = new RegExp(
    `version ${LATER}, which Leadport .* has migrated, needs a program with schema version ${NEXT} or later, but this one has version ${OWN}: .*Going back`,
  );
  await assert.rejects(migrate(url), expected);
  await assert.rejects(mustBeMigrated(db.sql), expected);
  await assert.rejects(registerProcess(db, "service", console), expected);
  assert.equal((await migrationState(db.probe)).ready, false);
});

test("a contract step waits until processes of earlier releases have ended", async (t) => {
  const { url, db, missing } = await noticesDatabase(t, 10);
  const service = await registerProcess(db, "service", console);
  const worker = await registerProcess(db, "worker", console);
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const waiting = () => notes.filter((text) => text.startsWith("Waiting up to 120 s: "));
  const migrating = migrate(url, undefined, { migrations: laterRelease(t), note });
  await eventually(() => waiting().length === 1);
  await service.close();
  await eventually(() => waiting().length === 2);
  await worker.close();
  await migrating;
  // What the migration waits for is noted once, however often it tries.
  assert.deepEqual(
    waiting().map((text) => text.match(/service|worker/g)),
    [["service", "worker"], ["worker"]],
  );
  assert.equal(await missing(), 0);
});

test("a step that needs a lock gives up early and tries again", async (t) => {
  const { url, sql } = await noticesDatabase(t, 10);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reading = sql.begin(async (tx) => {
    await tx`select from notices`;
    await released;
  });
  const note = (text: string): void => {
    assert.match(text, /^Waiting up to 120 s: .*lock timeout/);
    release();
  };
  await migrate(url, undefined, { migrations: nextRelease(t), note });
  await reading;
  assert.equal((await migrationState(sql)).current, NEXT);
});

test("a step outside of transactions can build an index concurrently", async (t) => {
  const { url, sql } = await noticesDatabase(t, 10);
  const migrations = releaseWith(t, {
    [`0${NEXT}.do.expand.sql`]: "alter table notices add column size integer;",
    [`0${LATER}.do.index.sql`]: `-- leadport: no transaction
      drop index concurrently if exists notice_texts;
      create index concurrently notice_texts on notices (text);`,
  });
  await migrate(url, undefined, { migrations });
  const indexes = await sql`
    select indisvalid from pg_index where indexrelid = 'notice_texts'::regclass`;
  assert.deepEqual([...indexes], [{ indisvalid: true }]);
});

test("a capability that earlier programs would ignore is refused while one is running", async (t) => {
  const { url, db } = await noticesDatabase(t, 1);
  await migrate(url, undefined, { migrations: nextRelease(t) });
  const { close } = await registerProcess(db, "service", console);
  const [running] = await runningProcesses(db.sql);
  const use = () =>
    transaction(db.sql, (tx) => requireProgram(tx, NEXT, "custom fields are defined"));
  await assert.rejects(
    use(),
    (error: unknown) =>
      error instanceof OlderProcesses &&
      error.status === 409 &&
      error.message.includes(`service ${running?.pid} on ${running?.host}`),
  );
  await close();
  await use();
  await assert.rejects(
    registerProcess(db, "service", console),
    /: custom fields are defined\. Start/,
  );
});

test("an unknown directive is an error that names the file", (t) => {
  assert.throws(
    () => releaseWith(t, { "099.do.x.sql": "-- leadport: contract form 39" }),
    /099\.do\.x\.sql has an unknown directive: contract form 39/,
  );
});
