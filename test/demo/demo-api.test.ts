/** `/crm/admin/demo`: only for owners of the installation's first tenant. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { Client } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";
import { follow, ownerOf, pageOf, signIn, tokenIn } from "../people/people-kit.ts";
import { SMALL } from "./demo-kit.ts";

const DEMO = "/crm/admin/demo";
/** Runs a worker as well, which must not process backdated records while they are being written. */
const api = await fileApi({ works: true });
const first = await api.tenant();
const other = await api.tenant();
await api.sql`insert into first_tenant (tenant_id) values (${first.tenantId})`;

const OTHERS = "Only owners of the installation's first tenant can manage demo data";

const stateOf = async (client: Pick<Client, "get">) => ok(await client.get(DEMO)).body;

test("for everyone but owners of the first tenant there is no demo data, and none can be loaded", async () => {
  const admin = await first.token(["admin"]);
  for (const client of [other, admin]) {
    assert.deepEqual(await stateOf(client), {
      state: "unavailable",
      done: 0,
      total: 0,
      tenant: null,
      is_member: false,
    });
    for (const answer of [
      await client.post(DEMO, SMALL),
      await client.post(`${DEMO}/link`),
      await client.delete(DEMO),
    ]) {
      assert.deepEqual([answer.status, answer.body], [404, { detail: OTHERS }]);
    }
  }
  for (const permission of ["records:write", "exchange:review", "ssn:read"]) {
    const client = await first.token([permission]);
    assert.equal((await client.get(DEMO)).status, 403);
    assert.equal((await client.post(DEMO, SMALL)).status, 403);
    assert.equal((await client.delete(DEMO)).status, 403);
  }
  assert.equal((await stateOf(first)).state, "absent");
  assert.equal((await api.sql`select from tenants where is_demo`).count, 0);
});

test("an invalid request returns what is wrong", async () => {
  for (const body of [{ leads: 1 }, { leads: 1e6 }, { leads: "many" }, { seed: -1 }]) {
    const answer = await first.post(DEMO, body);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(answer.body.detail[0].loc, ["body", Object.keys(body)[0]]);
  }
  const none = [await first.post(`${DEMO}/link`), await first.delete(DEMO)];
  for (const { status, body } of none) {
    assert.deepEqual([status, body.detail], [404, "There is no demo data"]);
  }
});

test("an owner loads demo data, signs in to it, and removes it", async () => {
  const ada = await ownerOf(api, first, "ada@example.com");
  const begun = ok(await ada.post(DEMO, SMALL)).body;
  assert.equal(begun.state, "filling");
  assert.equal(begun.tenant.name, "Demo Brightfield Solar");
  assert.ok(begun.total > 500);
  const again = await ada.post(DEMO, SMALL);
  const busy = "The demo data is being created or removed; try again later";
  assert.deepEqual([again.status, again.body.detail], [409, busy]);
  assert.deepEqual([(await ada.delete(DEMO)).status], [409]);
  let last = 0;
  const { done, total, is_member } = await eventually(
    () => stateOf(ada),
    ({ state, done: now }) => {
      assert.ok(now >= last, "progress continues");
      last = now;
      return state === "ready";
    },
    120_000,
  );
  assert.deepEqual([done, is_member], [total, false]);
  const other = await ada.post(DEMO, SMALL);
  assert.deepEqual([other.status, other.body.detail], [409, "Demo data already exists"]);

  const { link } = ok(await ada.post(`${DEMO}/link`)).body;
  const inDemo = await follow(first, tokenIn(link));
  const session = ok(await inDemo.get("/auth/session")).body;
  assert.equal(session.tenant.id, begun.tenant.id);
  assert.equal(session.tenant.is_demo, true);
  assert.deepEqual(
    [session.person.name, session.person.email, session.person.role],
    ["Ada Example", "ada@example.com", "owner"],
  );
  assert.equal(ok(await ada.get("/auth/session")).body.tenant.is_demo, false);
  assert.equal((await stateOf(ada)).is_member, true);
  // A user with the same password in both businesses chooses where to sign in.
  const choice = await signIn(first, { email: "ada@example.com" });
  assert.equal(choice.status, 409);
  assert.equal(choice.body.tenants.length, 2);

  // Owners of the demo tenant manage their own data, but not demo data.
  assert.ok(ok(await inDemo.get("/crm/leads")).body.leads.length > 0);
  assert.equal((await stateOf(inDemo)).state, "unavailable");
  assert.equal((await inDemo.delete(DEMO)).status, 404);
  const lead = { name: "New User" };
  ok(await inDemo.post("/crm/leads", lead));

  const { removed_rows } = ok(await ada.delete(DEMO)).body;
  assert.ok(removed_rows > 500);
  assert.equal((await stateOf(ada)).state, "absent");
  assert.equal((await inDemo.get("/crm/leads")).status, 401);
  assert.equal(ok(await signIn(first, { email: "ada@example.com" })).status, 200);
});

/** Returns an owner without an email: a user who exists only to own tokens. */
async function unnamedOwner(): Promise<Client> {
  const permissions = ["admin", "ssn:read"];
  const wanted = { name: "Robot", owner: "Robot", permissions };
  const { token } = ok(await first.post("/crm/admin/access_tokens", wanted)).body;
  const { url, tenantId, personId } = first;
  return new Client(url, token, tenantId, personId, (held) => first.token(held));
}

test("the worker leaves the past alone: nothing expired or was sent while it was written", async () => {
  const robot = await unnamedOwner();
  ok(await robot.post(DEMO, { ...SMALL, seed: 2 }));
  await eventually(
    () => stateOf(robot),
    ({ state }) => state === "ready",
    120_000,
  );
  const [late] = await api.sql`
    select count(*)::int as changes from changes c join tenants n on n.id = c.tenant_id
     where n.is_demo and c.actor_kind = 'service' and c.subject_type = 'pushed_lead'
       and c.action = 'expired' and c.at > now() - interval '10 minutes'`;
  assert.equal(late?.["changes"], 0);
  const [expired] = await api.sql`
    select count(*)::int as leads from pushed_leads where status = 'expired'`;
  assert.ok(expired?.["leads"] > 0);
  // Without an email, the first user to open the link becomes the owner.
  const { link } = ok(await robot.post(`${DEMO}/link`)).body;
  const named = { name: "Grace Example", email: "grace@example.com" };
  const page = await follow(first, tokenIn(link), named);
  assert.equal(ok(await page.get("/auth/session")).body.person.role, "owner");
  const answer = await robot.post(`${DEMO}/link`);
  assert.equal(answer.status, 409);
  ok(await robot.delete(DEMO));
  assert.equal((await pageOf(first, page.cookie).get("/auth/session")).status, 401);
});
