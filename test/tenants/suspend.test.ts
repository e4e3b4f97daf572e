/**
 * A suspended tenant cannot be used in any way. It works again after it is resumed:
 * docs/moving-a-tenant.md#suspend-a-tenant.
 */

import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import {
  deleteTenant,
  restoreTenant,
  resumeTenant,
  suspendTenant,
} from "../../src/tenants/state.ts";
import { attempt } from "../../src/delivery/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { type Db, run } from "../../src/platform/database/index.ts";
import { expireSome } from "../../src/exchange/pushed-leads/index.ts";
import { RECORD_TABLES } from "../../src/records/types/index.ts";
import { createRenaming } from "../../src/records/write/index.ts";
import { createWorks, PARTICIPANTS } from "../../src/service/modules.ts";
import { ok } from "../api/samples.ts";
import { makeDelivery } from "../delivery/stored.ts";
import { decide, partnerOf, PUSH, somebody } from "../exchange/exchange-kit.ts";
import { importFile } from "../files/imports/sending.ts";
import type { Answer } from "../kit/api.ts";
import { movableClock } from "../kit/clock.ts";
import { fileApi } from "../kit/file-api.ts";
import { ownerOf, signIn } from "../people/people-kit.ts";
import { rowsOf } from "./move-kit.ts";

const clock = movableClock();
const api = await fileApi({ clock });
const sql = api.sql as Db;
const deps = { clock, makeId: idSource(clock) };
const STATES = {
  suspended: { enter: suspendTenant, leave: resumeTenant },
  deleted: { enter: deleteTenant, leave: restoreTenant },
} as const;

function isRefused(answer: Answer, contact: string): void {
  assert.equal(answer.status, 403, answer.text);
  assert.equal(answer.body.tenant_suspended, true);
  assert.match(
    answer.body.detail,
    new RegExp(`^This business is suspended. Contact the ${contact}`),
  );
}

let tenants = 0;

for (const [name, { enter, leave }] of Object.entries(STATES)) {
  test(`requests of a ${name} tenant are refused within a second, and others are not`, async () => {
    const acme = await api.tenant();
    const rival = await api.tenant();
    const email = `owner${++tenants}@example.com`;
    const owner = await ownerOf(api, acme, email);
    const partner = await partnerOf(acme);
    await partner.push();
    ok(await acme.get("/crm/leads"));
    ok(await owner.get("/crm/leads"));
    await enter(sql, deps, acme.tenantId as never);
    clock.forward_s(1);
    for (const client of [acme, owner]) isRefused(await client.get("/crm/leads"), "operator");
    const out = ok(await owner.post("/auth/sign_out"));
    assert.deepEqual(out.body, { signed_out: true });
    assert.match(out.headers.getSetCookie()[0] ?? "", /^leadport=; Max-Age=0;/);
    isRefused(await signIn(acme, { email }), "operator");
    isRefused(await partner.post(PUSH, somebody()), "business");
    const { partner_id, access_code } = partner;
    isRefused(
      await acme.request({
        method: "POST",
        path: "/crm/partner/token",
        headers: { authorization: null, "content-type": "application/json" },
        body: JSON.stringify({ partner_id, access_code }),
      }),
      "business",
    );
    ok(await rival.get("/crm/leads"));
    await leave(sql, deps, acme.tenantId as never);
    clock.forward_s(1);
    ok(await acme.get("/crm/leads"));
    ok(await signIn(acme, { email }));
    await partner.push();
    const logged = await run(sql)`
      select fields from changes where tenant_id = ${acme.tenantId} and subject_type = 'tenant'
        and action = 'updated'`;
    assert.equal(logged.length, 2);
  });
}

test("the worker sends nothing and runs no job for a suspended tenant", async () => {
  const acme = await api.tenant();
  const account = ok(await acme.post("/crm/accounts", { name: "Nordlys" })).body;
  ok(await acme.post("/crm/opportunities", { name: "Sails", account_id: account._id }));
  ok(await acme.patch(`/crm/accounts/${account._id}`, { name: "Nordlys AS" }));
  const partner = await partnerOf(acme);
  const { id: pushed } = await partner.push({ expiration_date: Date.now() / 1000 + 3600 });
  await suspendTenant(sql, deps, acme.tenantId as never);
  const later = { now_ms: () => clock.now_ms() + 7_200_000 };
  assert.equal(await expireSome(sql, { ...deps, clock: later }), false);
  assert.equal(await createRenaming(sql, { ...deps, participants: [] })(), false);
  const deliveryId = await makeDelivery(sql, acme.tenantId, { status: "pending" });
  const dropped: string[] = [];
  await attempt(
    { id: "job", tenantId: acme.tenantId as never, deliveryId, timeout_s: 5 },
    {
      sql,
      ...deps,
      topics: {},
      log: {} as never,
      outgoing: {} as never,
      random: () => 0,
      queue: { drop: async (_db: unknown, id: string) => void dropped.push(id) } as never,
    },
  );
  assert.deepEqual(dropped, ["job"]);
  const [delivery] = await run(
    sql,
  )`select status, attempts from deliveries where id = ${deliveryId}`;
  assert.deepEqual({ ...delivery }, { status: "pending", attempts: 1 });
  await resumeTenant(sql, deps, acme.tenantId as never);
  assert.equal(await createRenaming(sql, { ...deps, participants: [] })(), true);
  assert.equal(await expireSome(sql, { ...deps, clock: later }), true);
  const [lead] = await run(sql)`select status from pushed_leads where id = ${pushed}`;
  assert.equal(lead?.["status"], "expired");
});

const AHEAD_ms = 400 * 86_400_000;
const future = { ...clock, now_ms: () => clock.now_ms() + AHEAD_ms };
const later = { clock: future, makeId: idSource(future) };

/** The background work of all modules, 400 days later. An erasure that has started is completed anyway: without a log, none starts. */
const JOBS = createWorks({
  sql,
  db: { sql },
  ...later,
  erasureLog: undefined,
  participants: PARTICIPANTS,
  recordTables: RECORD_TABLES,
  limits: { maxRecords: 0, maxBytes: 0 },
  deliveryRetention_days: 30,
} as never);

const runJobs = async (): Promise<void> => {
  for (const work of Object.values(JOBS)) while (await work());
};

/** These tables contain deliveries and the data for undoing merges, which are removed when they have expired. */
const WITH_EXPIRED = new Set(["deliveries", "delivery_attempts", "merges", "merged_records"]);

/** Creates a tenant with something to do for the jobs. Returns its id. */
async function busyTenant(): Promise<string> {
  const client = await api.tenant();
  const { _id } = ok(await client.post("/crm/accounts", { name: "Nordlys" })).body;
  ok(await client.post("/crm/opportunities", { name: "Sails", account_id: _id }));
  ok(await client.patch(`/crm/accounts/${_id}`, { name: "Nordlys AS" }));
  const partner = await partnerOf(client);
  await partner.push({ expiration_date: Date.now() / 1000 + 3600 });
  const { id } = await partner.push();
  ok(await decide(client, id, "reject"));
  await importFile(client, "lead", "name,status\nRejected,nonsense\n", { strict: true });
  const days = ["history", "audit", "rejected_pushes", "expired_pushes", "rejected_rows"];
  const settings = Object.fromEntries(days.map((name) => [`${name}_days`, 30]));
  ok(await client.put("/crm/admin/privacy", settings));
  return client.tenantId;
}

/** Returns a tenant's rows, without the times of last use, which the service stores with a delay. */
const readRows = async (tenantId: string) =>
  Object.entries(await rowsOf(api.sql, tenantId))
    .filter(([table]) => !WITH_EXPIRED.has(table))
    .map(([table, rows]) => [table, rows.map((row) => ({ ...row, last_used_ts: null }))] as const);

test("no worker task removes data of a suspended or deleted tenant", async () => {
  const suspended = await busyTenant();
  const deleted = await busyTenant();
  const active = await busyTenant();
  await suspendTenant(sql, deps, suspended as never);
  await deleteTenant(sql, later, deleted as never);
  const before = [await readRows(suspended), await readRows(deleted), await readRows(active)];
  await runJobs();
  assert.deepEqual(await readRows(suspended), before[0]);
  assert.deepEqual(await readRows(deleted), before[1]);
  const changed = (await readRows(active)).flatMap(([table, rows], at) =>
    isDeepStrictEqual(rows, before[2]?.[at]?.[1]) ? [] : [table],
  );
  const expected = ["changes", "deals", "import_rejects", "pushed_leads", "renames"];
  assert.deepEqual(changed.toSorted(), expected);
});
