/**
 * After the grace period, a deleted tenant is removed, but nothing else is: docs/moving-a-tenant.md#delete-a-tenant.
 */

import assert from "node:assert/strict";
import test from "node:test";
import { deleteTenant, GRACE_days, restoreTenant, suspendTenant } from "../../src/tenants/state.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { type Db, run } from "../../src/platform/database/index.ts";
import { removeDeleted } from "../../src/tenant-data/index.ts";
import { removeSomeDeleted } from "../../src/tenant-data/remove.ts";
import { rowsByTable } from "../demo/demo-kit.ts";
import { movableClock } from "../kit/clock.ts";
import { file } from "../kit/started.ts";
import { fullTenant } from "./move-kit.ts";

const clock = movableClock();
const deps = { clock, makeId: idSource(clock) };
const { api, client } = await fullTenant(file);
const sql = api.sql as Db;
const id = client.tenantId as never;
const conflict = (detail: RegExp) => (error: Error) => {
  assert.equal((error as { readonly status?: number }).status, 409);
  assert.match(error.message, detail);
  return true;
};

/** Tables of counts and measurements that the service writes with a delay after a request. */
const WRITTEN_LATER = new Set(["request_counts", "request_outcomes", "tenant_usage"]);
/** The table whose rows stay until the worker has written them to the erasure log. */
const UNLOGGED = "unlogged_revocations";

const ownRows = async (tenantId: string) =>
  [...(await rowsByTable(sql, tenantId))].filter(
    ([table]) => !WRITTEN_LATER.has(table) && table !== UNLOGGED,
  );

test("a suspended tenant can be removed at once, and the first tenant never", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/leads", { name: "Ada" });
  const tenantId = acme.tenantId as never;
  assert.equal(await removeDeleted(sql, tenantId, clock), undefined);
  await suspendTenant(sql, deps, tenantId);
  await deleteTenant(sql, deps, tenantId, true);
  assert.ok(((await removeDeleted(sql, tenantId, clock)) ?? 0) > 3);
  const first = await api.tenant();
  await run(sql)`insert into first_tenant (tenant_id) values (${first.tenantId})`;
  await assert.rejects(
    deleteTenant(sql, deps, first.tenantId as never),
    conflict(/^The first tenant of an installation cannot be deleted/),
  );
});

test("a deletion can be undone within the grace period, and is carried out after it", async () => {
  const rival = await api.tenant();
  await rival.post("/crm/leads", { name: "Other" });
  // Stores the counts of the requests. Otherwise, the service could store them after the tenant has been removed.
  await api.stop();
  const before = await ownRows(rival.tenantId);
  await assert.rejects(
    deleteTenant(sql, deps, id, true),
    conflict(/^Only a suspended or deleted tenant/),
  );
  await assert.rejects(restoreTenant(sql, deps, id), conflict(/^This tenant is not deleted/));
  await suspendTenant(sql, deps, id);
  await deleteTenant(sql, deps, id);
  clock.forward_s((GRACE_days * 24 - 1) * 3600);
  assert.equal(await removeSomeDeleted(sql, clock), false);
  assert.equal((await restoreTenant(sql, deps, id)).suspended_ts === null, false);
  await deleteTenant(sql, deps, id);
  clock.forward_s(GRACE_days * 86_400 + 1);
  await assert.rejects(restoreTenant(sql, deps, id), conflict(/^The grace period has ended/));
  // Simulate a worker that is killed after some batches, and another one that continues.
  for (let batches = 0; batches < 3; batches += 1) {
    assert.equal(await removeSomeDeleted(sql, clock), true);
  }
  await assert.rejects(restoreTenant(sql, deps, id), conflict(/^The grace period has ended/));
  const left = [...(await rowsByTable(sql, id)).values()].reduce((sum, rows) => sum + rows, 0);
  assert.ok(left > 0, "some rows are left");
  while (await removeSomeDeleted(sql, clock));
  const rows = await rowsByTable(sql, id);
  assert.ok(rows.size > 30);
  assert.deepEqual(
    [...rows].filter(([table, count]) => count > 0 && table !== UNLOGGED),
    [],
  );
  assert.equal((await run(sql)`select from tenants where id = ${id}`).count, 0);
  assert.equal((await run(sql)`select from pgboss.job where data->>'tenant_id' = ${id}`).count, 0);
  assert.deepEqual(await ownRows(rival.tenantId), before);
});
