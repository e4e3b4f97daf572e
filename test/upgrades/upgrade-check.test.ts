/** `leadport upgrade --check` says what an upgrade does and what must be done before, and changes nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  migrate,
  planUpgrade,
  registerProcess,
  type UpgradePlan,
} from "../../src/platform/migrations/index.ts";
import { testDatabase } from "../kit/database.ts";
import { folder, printed, settings } from "../running/leadport.ts";
import { LATER, laterRelease, NEXT, noticesDatabase, OWN } from "./release-kit.ts";

const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");

const workOf = ({ work }: UpgradePlan) => work.map(({ file, kind, rows }) => [kind, file, rows]);

test("a plan names the steps, the back-fills and the processes to stop", async (t) => {
  const { db } = await noticesDatabase(t, 1_500);
  const { close } = await registerProcess(db, "service", console);
  const plan = await planUpgrade(db.sql, laterRelease(t));
  assert.deepEqual(workOf(plan), [
    ["step", `0${NEXT}.do.sizes.sql`, 0],
    ["contract", `0${LATER}.do.all-sizes.sql`, 0],
    ["completion", "backfills/notice_sizes.sql", 1_500],
  ]);
  assert.deepEqual(
    plan.mustStop.map(({ pid, schema_version }) => [pid, schema_version]),
    [[process.pid, OWN]],
  );
  await close();
  assert.deepEqual((await planUpgrade(db.sql, laterRelease(t))).mustStop, []);
});

test("the command lists what a database of an earlier release needs", async (t) => {
  const { url, sql } = await testDatabase(t);
  await migrate(url, undefined, { version: 37 });
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY };
  const { code, out, err } = await printed(["upgrade", "--check"], env);
  assert.equal(code, 0, err);
  assert.match(
    out,
    new RegExp(`from version 37 to ${OWN}\\.\n  step  038\\.do\\.push-facts\\.sql`),
  );
  assert.match(out, new RegExp(`^Leadport .*, schema version ${OWN}\n`));
  assert.match(out, /Newest backup: none in BACKUP_DIR, .*: take one before the upgrade/);
  const versions = await sql`select max(version)::int as version from schema_migrations`;
  assert.deepEqual([...versions], [{ version: 37 }]);
});

test("the command fails if this version cannot serve the database", async (t) => {
  const { url } = await noticesDatabase(t, 1);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY };
  const current = await printed(["upgrade", "--check", "--json"], env);
  assert.equal(current.code, 0, current.err);
  assert.deepEqual(JSON.parse(current.out).work, []);
  await migrate(url, undefined, { migrations: laterRelease(t) });
  const { code, out } = await printed(["upgrade", "--check"], env);
  assert.equal(code, 1);
  assert.match(out, /Before the upgrade: This version cannot serve the database\. Install/);
  assert.doesNotMatch(out, /nothing to do/);
});

const REFUSED = [
  [["upgrade"], 2, /Add --check .* run leadport migrate/],
  [["upgrade", "--check"], 1, /There is no installation in .* `leadport start`/],
] as const;
for (const [args, expected, message] of REFUSED) {
  test(`"leadport ${args.join(" ")}" without an installation ends with ${expected}`, async (t) => {
    const { code, err } = await printed([...args], { DATA_DIR: folder(t) });
    assert.equal(code, expected);
    assert.match(err, message);
  });
}
