/** Physical backups of a database that is in use, and restores of them. */
// docs/backup.md#which-backup-to-use

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { takePhysicalBackup } from "../../src/backup/index.ts";
import { eventually } from "../kit/eventually.ts";
import { openSession } from "../kit/started.ts";
import { folder } from "../running/leadport.ts";
import { backingUp, type Opened, opened, restored } from "./physical-kit.ts";
import { run } from "../../src/platform/database/index.ts";

/** Holds a lock that a backup waits for before it copies anything. Returns a function that releases it. */
async function heldBackups(t: TestContext, { source }: Opened): Promise<() => Promise<void>> {
  const session = openSession(t, source.url);
  const lock = await session.reserve();
  await run(lock)`begin`;
  await run(lock)`lock table schema_migrations`;
  return async () => {
    await run(lock)`commit`;
    lock.release();
  };
}

const untilHeld = ({ sql }: Opened) =>
  eventually(
    () => sql`select from pg_stat_activity
               where application_name = 'leadport backup' and wait_event_type = 'Lock'`,
    ({ length }) => length > 0,
  );

test("a backup contains a table that was created shortly after the backup was requested", async (t) => {
  const root = folder(t);
  const database = await opened(t, join(root, "data"));
  const { sql, source } = database;
  const release = await heldBackups(t, database);
  const backup = takePhysicalBackup(source, join(root, "backup"));
  await untilHeld(database);
  await sql`create table kept as select 'here' as text`;
  await sql`checkpoint`;
  await release();
  await backup;
  let found: readonly unknown[] = [];
  await restored(join(root, "backup"), join(root, "restored"), {
    prepare: async (db) => void (found = [...(await run(db)`select text from kept`)]),
  });
  assert.deepEqual(found, [{ text: "here" }]);
});

test("the write-ahead log is archived while a backup is taken", async (t) => {
  const root = folder(t);
  const backupDir = join(root, "backups");
  const database = await opened(t, join(root, "data"), backupDir);
  const { sql } = database;
  const release = await heldBackups(t, database);
  const backups = backingUp(t, database, backupDir);
  await untilHeld(database);
  const [file] = await sql`select pg_walfile_name(pg_switch_wal()) as name`;
  await eventually(() => existsSync(join(backupDir, "wal", `${file?.["name"]}.gz`)));
  await untilHeld(database);
  await release();
  await eventually(() => /A backup was taken/.test(backups.log()));
});
