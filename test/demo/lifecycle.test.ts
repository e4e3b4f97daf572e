/** Loading, interrupting and removing demo data; other tenants cannot be removed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTenant } from "../../src/access/create-tenant.ts";
import { removeDemoTenant } from "../../src/tenant-data/index.ts";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { createQueue, enqueue } from "../../src/delivery/index.ts";
import { readDemo, removeDemo } from "../../src/demo/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { type Db, run, transaction } from "../../src/platform/database/index.ts";
import { conflict, demoDatabase, rowsByTable } from "./demo-kit.ts";
import { atEnd } from "../kit/started.ts";

const clock = systemClock();
const deps = { clock, makeId: idSource(clock) };
const NOBODY = "00000000-0000-4000-8000-000000000000" as TenantId;

const stateOf = async (sql: Db) => (await readDemo(sql)).state;

/** Returns the other tenants with their users, and the number of their changes. */
async function othersThan(sql: Db, tenantId: string): Promise<unknown> {
  const [tenants] = await run(sql)`
    select json_agg(t order by id) as all from tenants t where id <> ${tenantId}`;
  const [changes] = await run(sql)`
    select count(*)::int as all from changes where tenant_id <> ${tenantId}`;
  const [people] = await run(sql)`
    select json_agg(p order by id) as all from people p where tenant_id <> ${tenantId}`;
  return [tenants?.["all"], changes?.["all"], people?.["all"]];
}

test("demo data is loaded once, and removed with every row of every table", async (t) => {
  const { sql, fill, start } = await demoDatabase(t);
  assert.equal(await stateOf(sql), "absent");
  await createTenant(sql, deps, { name: "Acme" });
  const tenantId = await fill();
  const { state, done, total, tenant } = await readDemo(sql);
  assert.deepEqual([state, done === total, tenant?.id], ["ready", true, tenantId]);
  await assert.rejects(start(), conflict(/^Demo data already exists/));

  // A pending delivery also has a job in the queue.
  const queue = createQueue({ sql, supervise: false, note: (error) => assert.fail(String(error)) });
  atEnd(t, () => queue.close());
  const scope = { tenantId: tenantId as TenantId, actor: SERVICE };
  const waiting = { topic: "event", subject_id: "a.b.c", timeout_s: 1 };
  await transaction(sql, (db) => enqueue({ ...scope, db }, { ...deps, queue }, waiting));
  await queue.close();
  const jobsOf = async () =>
    (await run(sql)`select from pgboss.job where data->>'tenant_id' = ${tenantId}`).count;
  assert.equal(await jobsOf(), 1);

  const before = await rowsByTable(sql, tenantId);
  const filled = [...before].filter(([, rows]) => rows > 0);
  assert.ok(before.size > 30, `${before.size} tables`);
  assert.ok(filled.length > 22, `only ${filled.map(([name]) => name).join(", ")} have rows`);
  const others = await othersThan(sql, tenantId);
  const removed = await removeDemo(sql);
  assert.equal(
    removed,
    filled.reduce((sum, [, rows]) => sum + rows, 0),
  );
  const left = [...(await rowsByTable(sql, tenantId))].filter(([, rows]) => rows > 0);
  assert.deepEqual(left, []);
  assert.equal((await run(sql)`select from tenants where id = ${tenantId}`).count, 0);
  assert.equal(await jobsOf(), 0);
  assert.deepEqual(await othersThan(sql, tenantId), others);
  assert.equal(await stateOf(sql), "absent");
  await assert.rejects(removeDemo(sql), /^AppError: There is no demo data$/);
  await fill();
  assert.equal(await stateOf(sql), "ready");
});

test("a tenant that is no demo tenant is never removed", async (t) => {
  const { sql } = await demoDatabase(t);
  const { tenant } = await createTenant(sql, deps, { name: "Acme" });
  const before = await rowsByTable(sql, tenant.id);
  const refused = conflict(/^Only demo tenants can be removed, and "Acme" is not a demo tenant$/);
  await assert.rejects(removeDemoTenant(sql, tenant.id), refused);
  assert.deepEqual(await rowsByTable(sql, tenant.id), before);
  assert.equal((await run(sql)`select from tenants`).count, 1);
  await assert.rejects(removeDemoTenant(sql, NOBODY), /^AppError: Not Found$/);
  await assert.rejects(removeDemo(sql), /^AppError: There is no demo data$/);
});

test("while it is loaded it can be neither loaded again nor removed", async (t) => {
  const { sql, start } = await demoDatabase(t);
  const { done, tenant } = await start();
  assert.equal(await stateOf(sql), "filling");
  await assert.rejects(start(), conflict(/being created or removed/));
  await assert.rejects(removeDemo(sql), conflict(/being created or removed/));
  await done;
  assert.equal(await stateOf(sql), "ready");
  assert.ok(((await rowsByTable(sql, tenant.id)).get("leads") ?? 0) > 0);
});
