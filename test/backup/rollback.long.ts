/** A rollback with physical backups: what was lost does not come back, and what is added later is in the archive. */
// docs/backup.md#which-backup-to-use

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listBackups, logGap, takePhysicalBackup } from "../../src/backup/index.ts";
import { readHistory } from "../../src/backup/physical.ts";
import { eventually } from "../kit/eventually.ts";
import { folder } from "../running/leadport.ts";
import { backingUp, type Opened, opened, restored, textsIn } from "./physical-kit.ts";

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
  // The daily backup is not due during the test.
  const backupTime_min = (Math.floor(Date.now() / 60_000) + 720) % 1440;
  const settings = { backupTime_min };
  const backups = backingUp(t, first, backupDir, { settings });
  const [lost] = await taken(backupDir, 1);
  await addArchived(first, "2 after the upgrade", backupDir);
  await addArchived(first, "3 after the upgrade", backupDir);
  await backups.stop();
  await first.stop();

  await restored(before, join(root, "second"), { backupDir });
  const second = await opened(t, join(root, "second"), backupDir);
  // The first service was last seen more than 5 minutes ago.
  const clock = { now_ms: () => Date.now() + 10 * 60_000 };
  const later = backingUp(t, second, backupDir, { clock, settings });
  await taken(backupDir, 2);
  assert.deepEqual(await textsIn(second), ["1 before the upgrade"]);
  await addArchived(second, "4 after the rollback", backupDir);
  assert.equal(await logGap(backupDir), false);
  await later.stop();
  assert.doesNotMatch(later.log(), /"level":50/);
  await second.stop();

  let replayedTo: Date | undefined;
  const prepare = async (_: unknown, time?: Date) => void (replayedTo = time);
  const restoredTo = await restored(backupDir, join(root, "third"), { backupDir, prepare });
  assert.deepEqual(replayedTo, restoredTo);
  const third = await opened(t, join(root, "third"), backupDir);
  assert.deepEqual(await textsIn(third), ["1 before the upgrade", "4 after the rollback"]);
  await third.stop();

  // The backup from before the rollback can be restored only if that is what the operator asks for.
  const { folder: lostBackup = "" } = lost ?? {};
  await assert.rejects(
    restored(lostBackup, join(root, "fourth"), { backupDir }),
    /contains changes that were undone when an older backup was restored/,
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
