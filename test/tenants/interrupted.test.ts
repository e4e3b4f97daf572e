/** A killed import stays invisible until it is repeated or removed: docs/moving-a-tenant.md#how-a-file-is-checked. */

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { isSuspended, restoreTenant } from "../../src/tenants/state.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import type { Db } from "../../src/platform/database/index.ts";
import { listTenants } from "../../src/tenant-data/index.ts";
import { removeSomeDeleted } from "../../src/tenant-data/remove.ts";
import { movableClock } from "../kit/clock.ts";
import { migratedDatabase } from "../kit/database.ts";
import { openPools } from "../kit/started.ts";
import { acme, good, keys } from "./forge-kit.ts";
import { imported } from "./move-kit.ts";
import type { TestSql } from "../kit/sql.ts";

const id = acme.tenantId as never;

/** Returns a database in which an import was killed after it had stored some rows, but before its last transaction. */
async function killed(t: TestContext, now_s: number) {
  const { sql, url } = await migratedDatabase(t);
  await imported(t, good, { sql, keys });
  await sql`delete from deals`;
  await sql`
    update tenants set imported_ts = null, delete_after_ts = ${now_s + 86_400}`;
  return { sql, pool: openPools(t, { url, connections: 2, listTimeout_ms: 10_000 }).sql };
}

const countOf = async (sql: TestSql, table: string) =>
  (await sql.unsafe(`select from ${table}`)).count;

test("a killed import is not visible, and importing the file again completes it", async (t) => {
  const clock = movableClock();
  const { sql, pool } = await killed(t, Math.floor(clock.now_ms() / 1000));
  assert.equal(await isSuspended(sql as Db, id), true);
  assert.equal((await listTenants(pool))[0]?.state, "importing");
  const deps = { clock, makeId: idSource(clock) };
  await assert.rejects(restoreTenant(pool, deps, id), /This tenant is being imported/);
  await imported(t, good, { sql, keys });
  assert.equal(await isSuspended(sql as Db, id), false);
  assert.equal((await listTenants(pool))[0]?.state, "active");
  assert.deepEqual([await countOf(sql, "tenants"), await countOf(sql, "deals")], [1, 1]);
});

test("the worker removes a killed import after a day", async (t) => {
  const clock = movableClock();
  const { sql, pool } = await killed(t, Math.floor(clock.now_ms() / 1000));
  assert.equal(await removeSomeDeleted(pool, clock), false);
  clock.forward_s(86_401);
  while (await removeSomeDeleted(pool, clock));
  for (const table of ["tenants", "leads", "people", "changes"]) {
    assert.equal(await countOf(sql, table), 0, table);
  }
});
