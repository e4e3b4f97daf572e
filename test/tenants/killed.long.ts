/**
 * Commands and services that are killed while a tenant is being moved:
 * docs/moving-a-tenant.md#how-a-file-is-checked.
 */

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../kit/eventually.ts";
import { holdWrites } from "../kit/held-writes.ts";
import {
  databaseOf,
  folder,
  installed,
  isAlive,
  kill,
  printed,
  serverPid,
  settings,
  type Settings,
  spawnLeadport,
  startLeadport,
} from "../running/leadport.ts";

const LEADS = 6_000;

async function run(env: Settings, ...args: string[]): Promise<string> {
  const ended = await printed(args, env);
  assert.equal(ended.code, 0, ended.err);
  return ended.out;
}

async function statesOf(env: Settings) {
  const tenants = JSON.parse(await run(env, "tenant", "list", "--json")) as {
    handle: string;
    state: string;
    records: number;
  }[];
  return tenants
    .filter(({ handle }) => handle === "acme")
    .map(({ state, records }) => [state, records] as const);
}

test("an import and a deletion that are killed leave nothing half done", async (t) => {
  const source = await installed(t);
  const target = settings(t);
  const place = folder(t);
  const scratch = folder(t);
  const [file, keyFile, csv] = ["acme.zip", "acme.key", "leads.csv"].map((name) =>
    join(place, name),
  ) as [string, string, string];
  const rows = Array.from({ length: LEADS }, (_, at) => `Lead ${at},lead${at}@example.org\n`);
  writeFileSync(csv, `name,email\n${rows.join("")}`);
  const from = await startLeadport(t, { env: source });
  await run(source, "tenant", "create", "Acme");
  await run(source, "import", "leads", csv, "--tenant", "acme");
  await run(source, "tenant", "suspend", "acme");
  await run(source, "tenant", "export", "acme", file, "--key-file", keyFile);

  await startLeadport(t, { env: target });
  const sql = databaseOf(t, target);
  const importing = ["tenant", "import", file, "--key-file", keyFile, "--scratch", scratch];
  const { err } = await printed([...importing.slice(0, -1), join(scratch, "none")], target);
  assert.match(err, /^The scratch folder .*none cannot be used \(ENOENT/m);
  const countOf = async () => (await sql`select from leads`).count;

  await t.test("a killed import is not visible, and the next one completes it", async () => {
    // Make the import wait at one of its leads, after it has stored others.
    const held = await holdWrites(
      sql,
      `before insert on leads for each row when (new.body->>'name' = 'Lead ${LEADS - 1}')`,
    );
    const command = spawnLeadport(t, importing, { env: target });
    await held.reached({ within_ms: 120_000, hint: command.err });
    kill(command.pid, "SIGKILL");
    await command.ended;
    await held.end();
    const stored = await countOf();
    assert.ok(stored > 0 && stored < LEADS, String(stored));
    assert.deepEqual(await statesOf(target), [["importing", stored]]);
    const [left = ""] = readdirSync(scratch);
    const server = serverPid(join(scratch, left, "data")) ?? 0;
    assert.ok(isAlive(server), "the temporary database is still running");
    await run(target, ...importing);
    assert.deepEqual(await statesOf(target), [["active", LEADS]]);
    assert.equal(await countOf(), LEADS);
    assert.deepEqual(readdirSync(scratch), []);
    assert.ok(!isAlive(server), "the temporary database of the killed command has ended");
  });

  await t.test("a deletion whose service is killed is completed by the next one", async () => {
    const old = databaseOf(t, source);
    const leads = async () => (await old`select from leads`).count;
    await run(source, "tenant", "delete", "acme", "--confirm", "acme");
    // Make the deletion wait at one of the leads, after it has deleted others.
    const held = await holdWrites(
      old,
      `after delete on leads for each row when (old.body->>'name' = 'Lead ${LEADS - 1}')`,
    );
    await old`update tenants set delete_after_ts = 1 where handle = 'acme'`;
    await held.reached({ within_ms: 120_000, hint: from.err });
    kill(from.pid, "SIGKILL");
    await from.ended;
    await held.end();
    assert.ok((await leads()) > 0);
    assert.deepEqual((await old`select from tenants where handle = 'acme'`).count, 1);
    await startLeadport(t, { env: source });
    await eventually(
      () => old`select from tenants where handle = 'acme'`,
      ({ count }) => count === 0,
      { within_ms: 60_000 },
    );
    assert.equal(await leads(), 0);
  });
});
