/**
 * A suspended tenant cannot be used in any way. It works again after it is resumed:
 * docs/moving-a-tenant.md#suspend-a-tenant.
 */

import assert from "node:assert/strict";
import test from "node:test";
import {
  deleteTenant,
  restoreTenant,
  resumeTenant,
  suspendTenant,
} from "../../src/access/index.ts";
import { attempt } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/clock/ids.ts";
import type { Db } from "../../src/platform/database/index.ts";
import { expireSome } from "../../src/exchange/index.ts";
import { followOneRename } from "../../src/records/index.ts";
import { ok } from "../api/samples.ts";
import { makeDelivery } from "../delivery/stored.ts";
import { partnerOf, PUSH, somebody } from "../exchange/exchange-kit.ts";
import type { Answer } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import { ownerOf, signIn } from "../people/people-kit.ts";

const api = await fileApi();
const sql = api.sql as Db;
const clock = systemClock();
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
    const [acme, rival] = [await api.tenant(), await api.tenant()];
    const email = `owner${++tenants}@example.com`;
    const owner = await ownerOf(api, acme, email);
    const partner = await partnerOf(acme);
    await partner.push();
    ok(await acme.get("/crm/leads"));
    ok(await owner.get("/crm/leads"));
    await enter(sql, deps, acme.tenantId as never);
    const refused = await eventually(
      () => acme.get("/crm/leads"),
      ({ status }) => status === 403,
      1500,
    );
    isRefused(refused, "operator");
    isRefused(
      await eventually(
        () => owner.get("/crm/leads"),
        ({ status }) => status === 403,
        1500,
      ),
      "operator",
    );
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
    await eventually(
      () => acme.get("/crm/leads"),
      ({ status }) => status === 200,
      1500,
    );
    ok(await signIn(acme, { email }));
    await partner.push();
    const logged = await sql`
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
  assert.equal(await followOneRename(sql, deps.makeId), false);
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
  const [delivery] = await sql`select status, attempts from deliveries where id = ${deliveryId}`;
  assert.deepEqual({ ...delivery }, { status: "pending", attempts: 1 });
  await resumeTenant(sql, deps, acme.tenantId as never);
  assert.equal(await followOneRename(sql, deps.makeId), true);
  assert.equal(await expireSome(sql, { ...deps, clock: later }), true);
  const [lead] = await sql`select status from pushed_leads where id = ${pushed}`;
  assert.equal(lead?.["status"], "expired");
});
