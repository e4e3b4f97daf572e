/** Interrupted loads of demo data, owners of the demo tenant, and identical records from the same seed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { removeDemoTenant } from "../../src/tenant-data/index.ts";
import type { TenantId } from "../../src/audit/index.ts";
import { demoOwnerLink, readDemo, removeDemo } from "../../src/demo/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { type Db, run } from "../../src/platform/database/index.ts";
import { eventually } from "../kit/eventually.ts";
import { conflict, demoDatabase, rowsByTable } from "./demo-kit.ts";

const clock = systemClock();
const deps = { clock, makeId: idSource(clock) };

const stateOf = async (sql: Db) => (await readDemo(sql)).state;

for (const [title, interrupt] of Object.entries({
  "stopped between two steps": async (_sql: Db, stop: () => void) => stop(),
  "cut off from the database": async (sql: Db) => {
    const { count } = await run(sql)`
      select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())`;
    assert.equal(count, 1);
  },
})) {
  test(`what was ${title} is interrupted: it can only be removed`, async (t) => {
    const { sql, start, fill } = await demoDatabase(t);
    const stopping = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const onProgress = (done: number) => {
      if (done === 150) resolve();
    };
    const { done, tenant } = await start({ onProgress, signal: stopping.signal });
    const failed = assert.rejects(done);
    await promise;
    await interrupt(sql, () => stopping.abort());
    await failed;
    await eventually(
      () => stateOf(sql),
      (state) => state === "interrupted",
    );
    const { done: steps, total } = await readDemo(sql);
    assert.ok(steps >= 100 && steps < total, `${steps} of ${total}`);
    await assert.rejects(start(), conflict(/^Demo data already exists/));
    await removeDemo(sql);
    const left = [...(await rowsByTable(sql, tenant.id))].filter(([, rows]) => rows > 0);
    assert.deepEqual(left, []);
    await fill();
    assert.equal(await stateOf(sql), "ready");
  });
}

const broken = async () => assert.fail("the disk is full");

test("a removal that was interrupted is continued by the next one", async (t) => {
  const { sql, fill } = await demoDatabase(t);
  const tenantId = await fill();
  await assert.rejects(removeDemoTenant(sql, tenantId as TenantId, [broken]), /the disk is full/);
  assert.equal(await stateOf(sql), "interrupted");
  await removeDemo(sql);
  assert.equal(await stateOf(sql), "absent");
});

/** Returns the contents of the records, without ids. */
async function contentsOf(sql: Db): Promise<unknown> {
  const leads = await run(sql)`
    select body->>'name' as name, lead_status, lead_source, created_ts, updated_ts, email_list, phone_list
      from leads
     order by created_ts, name, email_list, phone_list, lead_status, lead_source, updated_ts`;
  const deals = await run(sql)`
    select body->>'name' as name, stage, value_of_sale, close_date from deals
     order by created_ts, 1, 2, 3, 4`;
  const pushed = await run(sql)`
    select name, status, submitted_ts from pushed_leads order by submitted_ts, 1, 2`;
  return JSON.parse(JSON.stringify([leads, deals, pushed]));
}

test("the same seed and moment lead to the same records, another seed to others", async (t) => {
  const now_ms = Date.UTC(2026, 4, 20, 15);
  const { sql, fill } = await demoDatabase(t, { clock: { now_ms: () => now_ms } });
  const contents: unknown[] = [];
  for (const seed of [3, 3, 4]) {
    await fill({ seed });
    contents.push(await contentsOf(sql));
    await removeDemo(sql);
  }
  const [first, second, other] = contents;
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
});

test("an owner is invited by email; without one, the first to open the link becomes it", async (t) => {
  const { sql, fill } = await demoDatabase(t);
  await assert.rejects(demoOwnerLink(sql, deps, undefined), /^AppError: There is no demo data$/);
  const ada = { name: "Ada Example", email: "ada@example.com" };
  const tenantId = await fill({ owner: ada });
  const own = await run(sql)`
    select count(*)::int as tasks from tasks t join people p on p.tenant_id = t.tenant_id and p.id = t.userid
     where t.tenant_id = ${tenantId} and p.email = ${ada.email} and not t.is_completed`;
  assert.ok(own[0]?.["tasks"] > 4, "tasks of the owner");
  const kinds = async () =>
    (
      await run(sql)`
        select l.kind, p.email from sign_in_links l join people p on p.tenant_id = l.tenant_id and p.id = l.person_id
         where l.tenant_id = ${tenantId} and l.expires_ts > ${Math.floor(Date.now() / 1000)}
           and (p.email is null or p.email like 'ada%') order by l.id`
    ).map(({ kind, email }) => [kind, email] as const);
  await demoOwnerLink(sql, deps, ada);
  await demoOwnerLink(sql, deps, { name: "Other", email: "ada.other@example.com" });
  await demoOwnerLink(sql, deps, undefined);
  assert.deepEqual(await kinds(), [
    ["invitation", ada.email],
    ["invitation", "ada.other@example.com"],
    ["first_owner", null],
  ]);
});
