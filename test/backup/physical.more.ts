/** Physical backups of a database that is in use, and restores of them. */
// docs/backup.md#which-backup-to-use

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { takePhysicalBackup } from "../../src/backup/index.ts";
import { eventually } from "../kit/eventually.ts";
import { openSession } from "../kit/started.ts";
import { folder } from "../running/leadport.ts";
import { opened, restored } from "./physical-kit.ts";

test("a backup contains a table that was created shortly after the backup was requested", async (t) => {
  const root = folder(t);
  const { sql, source } = await opened(t, join(root, "data"));
  const other = openSession(t, source.url);
  // The backup waits for this lock before PostgreSQL's backup mode begins.
  const lock = await other.reserve();
  await lock`begin`;
  await lock`lock table schema_migrations`;
  const backup = takePhysicalBackup(source, join(root, "backup"));
  await eventually(
    () => sql`select from pg_stat_activity
               where application_name = 'leadport backup' and wait_event_type = 'Lock'`,
    ({ length }) => length > 0,
  );
  await sql`create table kept as select 'here' as text`;
  await sql`checkpoint`;
  await lock`commit`;
  lock.release();
  await backup;
  let found: readonly unknown[] = [];
  await restored(join(root, "backup"), join(root, "restored"), {
    prepare: async (db) => void (found = [...(await db`select text from kept`)]),
  });
  assert.deepEqual(found, [{ text: "here" }]);
});
