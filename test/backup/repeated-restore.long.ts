/** A physical restore that was killed or rejected can be run again with the same data folder. */
// docs/backup.md#restore

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { takePhysicalBackup } from "../../src/backup/index.ts";
import { clearInterrupted, emptyCluster, RESTORING } from "../../src/platform/embedded/index.ts";
import { copyFolder } from "../kit/cluster.ts";
import { clusterOf, folder, leadport } from "../running/leadport.ts";
import { opened, restored, textsIn } from "./physical-kit.ts";

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
