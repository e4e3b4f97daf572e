/** Physical backups of a database that is in use, and restores of them. */
// docs/backup.md#which-backup-to-use

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { listBackups, logGap, takePhysicalBackup } from "../../src/backup/index.ts";
import { readHistory } from "../../src/backup/physical.ts";
import { clearInterrupted, emptyCluster, RESTORING } from "../../src/platform/embedded/index.ts";
import { copyFolder } from "../kit/cluster.ts";
import { eventually } from "../kit/eventually.ts";
import { openSession } from "../kit/started.ts";
import { clusterOf, folder, leadport } from "../running/leadport.ts";
import { backingUp, type Opened, opened, restored } from "./physical-kit.ts";

/** Holds a lock that a backup waits for before it copies anything. Returns a function that releases it. */
async function heldBackups(t: TestContext, { source }: Opened): Promise<() => Promise<void>> {
  const session = openSession(t, source.url);
  const lock = await session.reserve();
  await lock`begin`;
  await lock`lock table schema_migrations`;
  return async () => {
    await lock`commit`;
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
    prepare: async (db) => void (found = [...(await db`select text from kept`)]),
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

/** Returns the texts in the table `kept` of a database. */
const textsIn = async ({ sql }: Opened): Promise<unknown[]> =>
  (await sql`select text from kept order by text`).map(({ text }) => text as unknown);

/** Adds a text, and waits until the archive contains the log file with it. */
async function addArchived({ sql }: Opened, text: string, backupDir: string): Promise<void> {
  await sql`insert into kept values (${text})`;
  const [file] = await sql`select pg_walfile_name(pg_switch_wal()) as name`;
  await eventually(() => existsSync(join(backupDir, "wal", `${file?.["name"]}.gz`)));
}

const taken = (backupDir: string, count: number) =>
  eventually(
    () => listBackups(backupDir),
    ({ length }) => length === count,
  );

test("after a rollback, a backup is taken at once, and the lost changes do not come back", async (t) => {
  const root = folder(t);
  const backupDir = join(root, "backups");
  const before = join(root, "before-the-upgrade");
  const first = await opened(t, join(root, "first"), backupDir);
  await first.sql`create table kept as select '1 before the upgrade' as text`;
  await takePhysicalBackup(first.source, before);
  const backups = backingUp(t, first, backupDir);
  const [lost] = await taken(backupDir, 1);
  await addArchived(first, "2 after the upgrade", backupDir);
  await addArchived(first, "3 after the upgrade", backupDir);
  await backups.stop();
  await first.stop();

  await restored(before, join(root, "second"), { backupDir });
  const second = await opened(t, join(root, "second"), backupDir);
  // The first service was last seen more than 5 minutes ago.
  const clock = { now_ms: () => Date.now() + 10 * 60_000 };
  const later = backingUp(t, second, backupDir, { clock });
  await taken(backupDir, 2);
  assert.deepEqual(await textsIn(second), ["1 before the upgrade"]);
  await addArchived(second, "4 after the rollback", backupDir);
  assert.equal(await logGap(backupDir), false);
  await later.stop();
  assert.doesNotMatch(later.log(), /"level":50/);
  await second.stop();

  await restored(backupDir, join(root, "third"), { backupDir });
  const third = await opened(t, join(root, "third"), backupDir);
  assert.deepEqual(await textsIn(third), ["1 before the upgrade", "4 after the rollback"]);
  await third.stop();

  // The backup from before the rollback can be restored only if that is what the operator asks for.
  const { folder: lostBackup = "" } = lost ?? {};
  await assert.rejects(
    restored(lostBackup, join(root, "fourth"), { backupDir }),
    /contains changes that were lost when an older backup was restored/,
  );

  await assert.rejects(
    restored(backupDir, join(root, "fourth"), { at: new Date(Date.now() + 60_000) }),
    /The archive ends before/,
  );

  // A second rollback does not use the timeline of the first one, whose log is in the archive.
  await restored(before, join(root, "fifth"), { backupDir });
  const fifth = await opened(t, join(root, "fifth"), backupDir);
  const { timeline } = await readHistory(fifth.source);
  assert.ok(timeline > 2, `timeline ${timeline}`);
});

/** Removes files of a finished restore, as if it had been killed before it wrote them. */
const without =
  (...names: readonly string[]) =>
  (dataDir: string) => {
    for (const name of names) rmSync(join(dataDir, name));
  };

test("a restore that was killed at any point can be repeated", async (t) => {
  const root = folder(t);
  const backup = join(root, "backup");
  const dataDir = join(root, "restored");
  const database = await opened(t, join(root, "data"));
  await database.sql`create table kept as select 'here' as text`;
  await takePhysicalBackup(database.source, backup);
  await database.stop();
  mkdirSync(dataDir, { mode: 0o711 });
  const key = randomBytes(32).toString("base64");
  writeFileSync(join(dataDir, "master-key"), key, { mode: 0o600 });
  const killed = new Error("killed while the database is restored");
  await assert.rejects(
    restored(backup, dataDir, { prepare: () => Promise.reject(killed) }),
    killed,
  );
  const steps = [
    { at: "before the data directory is moved", undo: () => {} },
    {
      at: "before the new password is written",
      undo: without("database-password", "installation.json"),
    },
    { at: "before the database is recorded", undo: without("installation.json") },
    { at: "before the mark is removed", undo: () => {} },
  ];
  for (const { at, undo } of steps) {
    await t.test(`killed ${at}`, async () => {
      undo(dataDir);
      const env = { DATA_DIR: dataDir, LOG_LEVEL: "warn" };
      const refused = await leadport(t, ["tenant", "list"], { env });
      assert.match(refused.err, /was interrupted\. Run leadport restore again/);
      const again = await leadport(t, ["restore", backup], { env });
      assert.equal(again.code, 0, again.err);
      assert.equal(readFileSync(join(dataDir, "master-key"), "utf8"), key);
      const started = await opened(t, dataDir);
      assert.deepEqual(await textsIn(started), ["here"]);
      await started.stop();
      // The next step's restore is killed only after it has moved the data directory.
      mkdirSync(join(clusterOf(dataDir), RESTORING));
    });
  }
});

test("a database that is not part of an interrupted restore is not removed", async (t) => {
  const dataDir = join(folder(t), "data");
  const place = join(dataDir, "postgres");
  const other = join(place, "data/PG_VERSION");
  for (const path of [other, join(place, RESTORING, "data/PG_VERSION")]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "18\n");
  }
  await clearInterrupted(dataDir);
  assert.ok(existsSync(other));
  assert.ok(!existsSync(join(place, RESTORING)));
  assert.throws(() => emptyCluster(dataDir), /There is already a database in/);
});

test("a restore that is refused can be repeated with another backup", async (t) => {
  const root = folder(t);
  const backup = join(root, "backup");
  const database = await opened(t, join(root, "data"));
  await takePhysicalBackup(database.source, backup);
  await database.stop();
  const damaged = join(root, "damaged");
  copyFolder(backup, damaged);
  rmSync(join(damaged, "data/PG_VERSION"));
  const env = { DATA_DIR: join(root, "restored"), LOG_LEVEL: "warn" };
  const refused = await leadport(t, ["restore", damaged], { env });
  assert.match(refused.err, /PG_VERSION is missing/);
  const again = await leadport(t, ["restore", backup], { env });
  assert.equal(again.code, 0, again.err);
});
