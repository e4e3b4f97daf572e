/** BACKUP_DIR is used by one service at a time, and contains the backups of one database. */
// docs/backup.md#automatic-backups

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Registry } from "prom-client";
import { updateStatus } from "../../src/backup/status.ts";
import { checkBackups } from "../../src/commands/doctor/doctor-backup.ts";
import type { Config } from "../../src/settings/index.ts";
import { eventually } from "../kit/eventually.ts";
import { folder } from "../running/leadport.ts";
import { MANIFEST_OF_NOTHING } from "./manifests.ts";
import { backingUp } from "./physical-kit.ts";

const LOG_FILE = "000000010000000000000001";
const MINUTE_ms = 60_000;

/** A service whose database cannot be reached, with a finished log file that can be archived. */
function service(t: TestContext, backupDir: string) {
  const dataDir = folder(t);
  const spool = join(dataDir, "postgres/archive");
  mkdirSync(spool, { recursive: true });
  writeFileSync(join(spool, LOG_FILE), "log");
  let now_ms = Date.now();
  const clock = { now_ms: () => now_ms };
  const source = {
    url: "postgres://127.0.0.1:1/none",
    address: () => ({ host: "127.0.0.1", port: 1 }),
    dataDir,
    data: join(dataDir, "postgres/data"),
    installationId: undefined,
  };
  const register = new Registry();
  const config = { backupDir, dataDir, databaseUrl: undefined, backupVerify: false } as Config;
  return {
    dataDir,
    start: () => backingUp(t, { source, dataDir }, backupDir, { clock, register }),
    forward: (minutes: number) => (now_ms += minutes * MINUTE_ms),
    isArchived: () => !existsSync(join(spool, LOG_FILE)),
    doctor: async () => (await checkBackups(config, clock))[0],
    lastFailure_s: async () =>
      Number(/^leadport_backup_last_failure\w+ (\S+)/m.exec(await register.metrics())?.[1]),
  };
}

test("a service does not use the folder for backups while another service uses it", async (t) => {
  const backupDir = join(folder(t), "backups");
  const production = service(t, backupDir);
  const running = production.start();
  await eventually(production.isArchived);
  await eventually(() => existsSync(join(backupDir, "status.json")));
  // A backup that production is taking.
  const partial = join(backupDir, "20261224T100000Z.partial");
  mkdirSync(partial);

  const drill = service(t, backupDir);
  const status = readFileSync(join(backupDir, "status.json"), "utf8");
  const refused = drill.start();
  // Production is seen again while the drill waits.
  const usedBy = () => readFileSync(join(backupDir, "used-by.json"), "utf8");
  const before = usedBy();
  production.forward(1);
  await eventually(() => usedBy() !== before);
  drill.forward(1);
  await eventually(() => /taking backups failed/.test(refused.log()));
  assert.match(
    refused.log(),
    new RegExp(`is used by the service with the data folder ${production.dataDir}`),
  );
  assert.ok((await drill.lastFailure_s()) > 0);
  assert.match((await drill.doctor())?.message ?? "", /is used by the service with/);
  assert.doesNotMatch((await production.doctor())?.message ?? "", /is used by/);

  await running.stop();
  assert.ok(!drill.isArchived());
  assert.ok(existsSync(partial));
  assert.equal(readFileSync(join(backupDir, "status.json"), "utf8"), status);

  // Production has stopped for good, so the other service takes over.
  drill.forward(10);
  await eventually(drill.isArchived);
  await eventually(() => !existsSync(partial));
  await eventually(() => /The write-ahead log is being archived again/.test(refused.log()));
});

test("a service does not use the folder for backups of another database", async (t) => {
  const backupDir = join(folder(t), "backups");
  const backup = join(backupDir, "20261224T100000Z");
  mkdirSync(backup, { recursive: true });
  writeFileSync(join(backup, "manifest.json"), JSON.stringify(MANIFEST_OF_NOTHING));
  const other = service(t, backupDir);
  writeFileSync(
    join(other.dataDir, "installation.json"),
    JSON.stringify({
      installation_id: "other",
      system_identifier: "7400000000000000000",
      postgres_folder: "postgres",
    }),
  );
  const refused = other.start();
  await eventually(() => /contains the backups of another database/.test(refused.log()));
  assert.ok(!other.isArchived());
  assert.match((await other.doctor())?.remedy ?? "", /Set BACKUP_DIR to a new folder/);
});

test("if BACKUP_DIR cannot be written to, the message names that folder and does not mention DATA_DIR", () => {
  assert.throws(() => updateStatus("/nowhere", {}), {
    message:
      "Cannot write to /nowhere/status.json (ENOENT). Check that its folder exists and that this user can write to it.",
  });
});
