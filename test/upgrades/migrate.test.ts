/**
 * Migrations run exactly once, even if several processes start at the same time. They never run
 * partially or backward. Also covers the master key in the database.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMasterKey, deriveKey } from "../../src/platform/secrets/master-key.ts";
import { statementsOf } from "../../src/platform/migrations/statements-of.ts";
import { migrate, migrationState, ownMigrations } from "../../src/platform/migrations/index.ts";
import { migratedDatabase, testDatabase } from "../kit/database.ts";

const { version: OWN } = ownMigrations();

test("of several processes that migrate at once, one does and the others wait", async (t) => {
  const { url, sql } = await testDatabase(t);
  const results = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  assert.deepEqual(
    results.map(({ from }) => from).filter((from) => from === 0),
    [0],
  );
  assert.ok(results.every(({ to }) => to === OWN));
  assert.equal((await migrationState(sql)).ready, true);
});

test("a database that is not migrated is not ready", async (t) => {
  const { sql } = await testDatabase(t);
  assert.deepEqual(await migrationState(sql), {
    current: 0,
    wanted: OWN,
    ready: false,
  });
});

test("a database of an earlier version loses the clock of the demo data", async (t) => {
  const { url, sql } = await testDatabase(t);
  const clocks = async () => {
    const rows = await sql`
      select n.nspname as schema from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where p.proname = 'clock_timestamp' order by 1`;
    return rows.map(({ schema }) => String(schema));
  };
  await migrate(url, undefined, { version: 36 });
  assert.deepEqual(await clocks(), ["demo_time", "pg_catalog"]);
  await migrate(url);
  assert.deepEqual(await clocks(), ["pg_catalog"]);
  assert.deepEqual([...(await sql`select from pg_namespace where nspname = 'demo_time'`)], []);
});

test("a migration that fails leaves nothing behind and is named", async (t) => {
  const { sql, url } = await testDatabase(t);
  await sql`create table tenants (in_the_way int)`;
  await assert.rejects(migrate(url), /was rolled back: .*tenants.* already exists/);
  assert.deepEqual(
    [...(await sql`select to_regclass('installation') as found`)],
    [{ found: null }],
  );
});

test("a file that was changed after it was applied is rejected", async (t) => {
  const { sql, url } = await migratedDatabase(t);
  await sql`update schema_migrations set md5 = 'other' where version = 1`;
  await sql`delete from schema_migrations where version = ${OWN}`;
  await assert.rejects(migrate(url), /an applied migration file has been changed/);
});

const SCRIPTS = [
  ["select 1; select 2", ["select 1", "select 2"]],
  ["select ';'; select 'it''s;'", ["select ';'", "select 'it''s;'"]],
  ["-- one; two\nselect 1; /* ; */", ["select 1"]],
  ["create f as $$ a; b; $$ language sql; x", ["create f as $$ a; b; $$ language sql", "x"]],
  ["create f as $b$ a; $$ b; $b$; x", ["create f as $b$ a; $$ b; $b$", "x"]],
  ['select 4 / 2 - 1 as "a;b"', ['select 4 / 2 - 1 as "a;b"']],
] as const;
for (const [script, expected] of SCRIPTS) {
  test(`${JSON.stringify(script)} is split where a statement ends`, () =>
    assert.deepEqual(statementsOf(script), expected));
}

const ONE = Buffer.alloc(32, 1);
const TWO = Buffer.alloc(32, 2);

test("a database keeps the master key it was first written with", async (t) => {
  const { sql } = await migratedDatabase(t);
  await checkMasterKey(sql, { all: [ONE] }, 1_700_000_000);
  await checkMasterKey(sql, { all: [ONE] }, 1_700_000_001);
  await assert.rejects(checkMasterKey(sql, { all: [TWO] }, 1_700_000_002), /another master key/);
});

test("a new master key is accepted in addition to the earlier one, and the earlier one stays needed", async (t) => {
  const { sql } = await migratedDatabase(t);
  await checkMasterKey(sql, { all: [ONE] }, 1_700_000_000);
  await checkMasterKey(sql, { all: [TWO, ONE] }, 1_700_000_001);
  await assert.rejects(checkMasterKey(sql, { all: [TWO] }, 1_700_000_002), /another master key/);
});

test("of two first starts with different keys one is rejected", async (t) => {
  const { sql } = await migratedDatabase(t);
  const results = await Promise.allSettled(
    [ONE, TWO].map((key) => checkMasterKey(sql, { all: [key] }, 1_700_000_000)),
  );
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
});

test("keys of different purposes and contexts have nothing in common", () => {
  const made = [
    ["fields", "a"],
    ["fields", "b"],
    ["tokens", "a"],
    ["fieldsa", ""],
  ] as const;
  const keys = made.map(([purpose, context]) => deriveKey(ONE, purpose, context).toString("hex"));
  assert.equal(new Set(keys).size, made.length);
  assert.equal(deriveKey(ONE, "fields", "a").toString("hex"), keys[0]);
});
