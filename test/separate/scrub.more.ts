/** After an erasure and a scrub, none of the server's files contain the person's data. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { scrub } from "../../src/privacy/index.ts";
import { tablesWith } from "../../src/privacy/registry.ts";
import { PERSONAL_COLUMNS } from "../../src/service/modules.ts";
import { ok } from "../api/samples.ts";
import { separateServer, testDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import { atEnd, file, openSession } from "../kit/started.ts";
import { filesContaining } from "../privacy/person-kit.ts";

// A scrub keeps the rows that an open transaction of any database could still see, and the log files that checkpoints
// of other tests have recycled. So this file has a separate server.
process.env["TEST_DATABASE_URL"] = (await separateServer(file)).url;
/** The time of all requests. A slow erasure would otherwise leave the remaining steps to a worker. */
const NOW_ms = systemClock().now_ms();
const api = await fileApi({ clock: { now_ms: () => NOW_ms } });
const tables = tablesWith(PERSONAL_COLUMNS, ["yes", "derived"]);

/** No other test stores this name. */
const NAME = "Xanthippe Raworthington";
const EMAIL = "xanthippe.raworthington@example.org";

const [place] = await api.sql<
  { folder: string }[]
>`select current_setting('data_directory') as folder`;
const filesWithName = () => filesContaining("raworthington", place?.folder ?? "");

/** Stores a person in a new tenant. Returns a function that erases her. */
async function storeInFiles(): Promise<() => Promise<void>> {
  const client = await api.tenant();
  const leads: string[] = [];
  for (let at = 0; at < 20; at += 1) {
    const body = { name: NAME, email: EMAIL, comments: `${NAME} ${at}` };
    leads.push(ok(await client.post("/crm/leads", body)).body._id);
  }
  await api.sql`analyze`;
  await api.sql`checkpoint`;
  assert.ok(filesWithName().length > 0, "the files can be read, and contain the person");
  return async () => {
    const { report_id } = ok(await client.post("/crm/admin/persons/report", { email: EMAIL })).body;
    const request = { report_id, record_ids: leads };
    const { state } = ok(await client.post("/crm/admin/persons/erase", request)).body;
    assert.equal(state, "done");
  };
}

test("the raw files of the server contain nothing of an erased person after a scrub", async (t) => {
  const erase = await storeInFiles();
  await erase();
  const done = await scrub(openSession(t, api.databaseUrl), { tables });
  assert.ok(done.tables.includes("leads") && done.tables.includes("changes"));
  assert.deepEqual([done.log, done.log_kept], [true, null]);
  assert.deepEqual(filesWithName(), []);
});

test("a scrub also removes log files that PostgreSQL recycled before it", async (t) => {
  const erase = await storeInFiles();
  await erase();
  const [row] = await api.sql<
    { current: string }[]
  >`select pg_walfile_name(pg_current_wal_insert_lsn()) as current`;
  // PostgreSQL renames files at the second checkpoint after they were filled, and writes to them later, one by one.
  for (let times = 0; times < 8; times += 1) {
    await api.sql`select pg_logical_emit_message(true, 'fill', '')`;
    await api.sql`select pg_switch_wal()`;
  }
  for (let times = 0; times < 2; times += 1) await api.sql`checkpoint`;
  const log = await api.sql<{ name: string }[]>`select name from pg_ls_waldir()`;
  assert.ok(!log.some(({ name }) => name === row?.current), "the file has a new name");
  assert.ok(
    filesWithName().some((path) => path.includes("pg_wal")),
    "its contents are still there",
  );
  await scrub(openSession(t, api.databaseUrl), { tables });
  assert.deepEqual(filesWithName(), []);
});

test("log files that PostgreSQL still needs are reported", async (t) => {
  await api.sql`alter system set wal_keep_size = '1GB'`;
  await api.sql`select pg_reload_conf()`;
  atEnd(t, async () => {
    await api.sql`alter system reset wal_keep_size`;
    await api.sql`select pg_reload_conf()`;
  });
  const { log, log_kept } = await scrub(openSession(t, api.databaseUrl), { tables });
  assert.deepEqual([log, log_kept], [false, "still_needed"]);
});

test("a scrub waits for transactions that began before it, in any database", async (t) => {
  const { url } = await testDatabase(t);
  const other = openSession(t, url, { max: 1 });
  const erase = await storeInFiles();
  const waits: string[] = [];
  const onWait = (transactions: string) => void waits.push(transactions);
  let scrubbing: Promise<unknown> | undefined;
  const db = openSession(t, api.databaseUrl);
  await other.begin(async (tx) => {
    await tx`select pg_current_xact_id()`;
    await erase();
    await assert.rejects(scrub(db, { tables, patience_ms: 0 }), {
      name: "StartError",
      message: /^Transactions that began before the scrub are still open: .* \(process \d+\)\. /,
    });
    scrubbing = scrub(db, { tables, onWait });
    await eventually(() => waits.length > 0);
  });
  await scrubbing;
  assert.equal(waits.length, 1);
  assert.deepEqual(filesWithName(), []);
});
