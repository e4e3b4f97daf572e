/**
 * Lookups and pushes cache the calling partner and check each time that the cached settings are current, so a change
 * made in one process applies immediately in all others.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { noteStatements } from "../../kit/sql.ts";
import { startOwnApp } from "../../api/own-app.ts";
import { ok, type Body } from "../../api/samples.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import { json, setCheck } from "../callouts/callout-kit.ts";
import { somebody } from "../exchange-kit.ts";
import { JSON_BODY, partnerOf, PARTNERS, tokenOf, type PartnerClient } from "../partner-kit.ts";
import { file } from "../../kit/started.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [Buffer.alloc(32, 7)] };
const now_ms = Date.now();
/** The clock stands still, so that no new window of the rate limit begins during a test. */
const clock = { now_ms: () => now_ms };
const api = await fileApi({ clock, keys });
const acme = await api.tenant();

/** The statements that the other process sends. */
const { sent, wrap } = noteStatements();
const elsewhere = await startOwnApp(file, { url: api.databaseUrl, clock, keys, wrap });

interface Told {
  readonly status: number;
  readonly body: Body;
  /** The number of requests that remain in the rate limit. */
  readonly left: number;
}

async function call(token: string, path: string, body: object, headers = {}): Promise<Told> {
  const answer = await fetch(`${elsewhere.url}/crm/partner/${path}`, {
    method: "POST",
    headers: { ...JSON_BODY, authorization: `Partner ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  const left = Number(/;r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);
  return { status: answer.status, body: (await answer.json()) as Body, left };
}

let drawn = 0;
const stranger = (more: object = {}) => ({
  name: "Ada Example",
  email: `ada${++drawn}@example.com`,
  source: "Google",
  ...more,
});

const lookUp = ({ token }: Pick<PartnerClient, "token">, person: object = stranger()) => {
  const { email, phone } = person as { email?: string; phone?: string };
  return call(token, "lookup", { ...(email && { email }), ...(phone && { phone }) });
};
const push = ({ token }: Pick<PartnerClient, "token">, more: object = {}) =>
  call(token, "push", stranger(more));

/** Creates a partner and makes the other process cache it. */
async function remembered(settings: object = {}) {
  const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google"], ...settings });
  await lookUp(partner);
  const change = async (changes: object) =>
    ok(await acme.patch(`${PARTNERS}/${partner.partner_id}`, changes));
  return { partner, change };
}

const pushedBy = async (partner_id: string): Promise<number> => {
  const [row] = await api.sql`
    select count(*)::integer as count from pushed_leads where partner_id = ${partner_id}`;
  return Number(row?.["count"]);
};

test("a suspension ends lookups and pushes at once, and nothing is stored", async () => {
  const { partner, change } = await remembered();
  assert.deepEqual([(await lookUp(partner)).status, (await push(partner)).status], [200, 200]);
  await change({ status: "suspended" });
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [401, 401]);
  assert.equal(await pushedBy(partner.partner_id), 1);
  await change({ status: "active" });
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [401, 401]);
  const token = await tokenOf(acme, partner);
  assert.deepEqual([(await push({ token })).status, (await lookUp({ token })).status], [200, 200]);
});

test("another access code ends the tokens of the old one at once", async () => {
  const { partner } = await remembered();
  ok(await acme.post(`${PARTNERS}/${partner.partner_id}/access_code`));
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [401, 401]);
});

test("added and removed permissions apply at once", async () => {
  const { partner, change } = await remembered();
  await change({ permissions: [], can_push: false });
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [403, 403]);
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [403, 403]);
  await change({ permissions: ["lookup"], can_push: true });
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [200, 200]);
});

test("the permission to see names applies at once", async () => {
  const { partner, change } = await remembered();
  const person = stranger();
  ok(await acme.post("/crm/leads", person));
  assert.equal((await lookUp(partner, person)).body["name"], "Ada Example");
  await change({ permissions: ["lookup"] });
  assert.deepEqual((await lookUp(partner, person)).body, {
    exists: true,
    name: null,
    active: true,
  });
  await change({ permissions: ["lookup", "lookup_name"] });
  assert.equal((await lookUp(partner, person)).body["name"], "Ada Example");
});

test("sources, addresses and auto_accept apply at once", async () => {
  const { partner, change } = await remembered();
  assert.equal((await push(partner, { source: "Facebook" })).status, 422);
  await change({ allowed_marketing_sources: ["Facebook"] });
  assert.equal((await push(partner, { source: "Facebook" })).status, 200);
  assert.equal((await push(partner)).status, 422);
  await change({ allowed_marketing_sources: ["Google"], auto_accept: true });
  assert.equal((await push(partner)).body["status"], "accepted");
  await change({ auto_accept: false });
  assert.equal((await push(partner)).body["status"], "pending");
  await change({ ip_allow_list: ["192.0.2.7"] });
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [403, 403]);
  await change({ ip_allow_list: [] });
  assert.deepEqual([(await push(partner)).status, (await lookUp(partner)).status], [200, 200]);
});

test("the tenant's country applies at once", async () => {
  const { partner } = await remembered();
  const person = { name: "Ada Example", phone: "030 901820" };
  ok(await acme.post("/crm/leads", { name: "Ada Example", phone: "+49 30 901820" }));
  assert.equal((await lookUp(partner, person)).body["exists"], false);
  ok(await acme.patch("/crm/admin/tenant", { default_country: "DE" }));
  assert.equal((await lookUp(partner, person)).body["exists"], true);
  ok(await acme.patch("/crm/admin/tenant", { default_country: "US" }));
  assert.equal((await lookUp(partner, person)).body["exists"], false);
});

test("another limit applies at once, and a call that is tried again is counted once", async () => {
  const { partner, change } = await remembered({ rate_limit: 50 });
  const before = (await lookUp(partner)).left;
  const twice = stranger();
  const answers = [
    await call(partner.token, "push", twice),
    await call(partner.token, "push", twice),
    await push(partner, { source: "Facebook" }),
    await lookUp(partner),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 409, 422, 200],
  );
  assert.deepEqual(
    answers.map(({ left }) => before - left),
    [1, 2, 3, 4],
  );
  await change({ rate_limit: 1 });
  assert.equal((await lookUp(partner)).status, 429);
  await change({ rate_limit: 1000 });
  assert.equal((await lookUp(partner)).status, 200);
});

test("a suspended partner gets no replayed response", async () => {
  const { partner, change } = await remembered();
  const person = stranger();
  const headers = { "idempotency-key": `push-${drawn}` };
  assert.equal((await call(partner.token, "push", person, headers)).status, 200);
  assert.equal((await call(partner.token, "push", person, headers)).status, 200);
  await change({ status: "suspended" });
  assert.equal((await call(partner.token, "push", person, headers)).status, 401);
  assert.equal(await pushedBy(partner.partner_id), 1);
});

/** Counts a request's statements that read its partner, and its attempts to store a pushed lead. */
async function statementsOf(does: () => Promise<Told>) {
  sent.splice(0);
  const { status } = await does();
  const count = (text: string) => sent.filter((one) => one.includes(text)).length;
  return {
    status,
    reads: count("p.generation ="),
    pushes: count("insert into pushed_leads"),
    transactions: count("begin"),
  };
}

test("a push of a remembered partner is carried out once, whatever its result", async () => {
  const { partner } = await remembered();
  const twice = stranger();
  const once = { reads: 0, pushes: 1, transactions: 0 };
  const pushTwice = () => call(partner.token, "push", twice);
  assert.deepEqual(await statementsOf(pushTwice), { status: 200, ...once });
  // Before rejecting a request, the service reads the partner again to make sure that its cached settings are current.
  const refused = { reads: 1, pushes: 0, transactions: 0 };
  assert.deepEqual(await statementsOf(pushTwice), { status: 409, ...refused });
  const elsewhereFrom = () => push(partner, { source: "Facebook" });
  assert.deepEqual(await statementsOf(elsewhereFrom), { status: 422, ...refused });
  assert.equal(await pushedBy(partner.partner_id), 1);
});

test("a push of a changed partner is carried out again, of a suspended one not", async () => {
  const { partner, change } = await remembered();
  await change({ name: "Renamed Ltd" });
  const again = { reads: 1, pushes: 1, transactions: 0 };
  assert.deepEqual(await statementsOf(() => push(partner)), { status: 200, ...again });
  await change({ allowed_marketing_sources: ["Facebook"] });
  const fromFacebook = () => push(partner, { source: "Facebook" });
  assert.deepEqual(await statementsOf(fromFacebook), { status: 200, ...again });
  await change({ status: "suspended" });
  assert.deepEqual(await statementsOf(fromFacebook), { status: 401, ...again, pushes: 0 });
  assert.equal(await pushedBy(partner.partner_id), 2);
});

/** Changes during the external duplicate check, with the status of the push and the number of checks. */
const DURING_CHECK: readonly (readonly [changes: Body, status: number, checks: number])[] = [
  [{ status: "suspended" }, 401, 1],
  [{ can_push: false }, 403, 1],
  [{ name: "Renamed Ltd" }, 200, 2],
];

for (const [changes, status, checks] of DURING_CHECK) {
  test(`a change during the external duplicate check applies to the push: ${JSON.stringify(changes)}`, async (t) => {
    const tenant = await api.tenant();
    const receiver = await startReceiver(t);
    await setCheck(tenant, { url: receiver.url });
    const partner = await partnerOf(tenant, { auto_accept: true });
    receiver.respond = async (...asked) => {
      ok(await tenant.patch(`${PARTNERS}/${partner.partner_id}`, changes));
      return json({ exists: false })(...asked);
    };
    assert.equal((await partner.post("/crm/partner/push", somebody())).status, status);
    assert.equal(receiver.received.length, checks);
    assert.equal(await pushedBy(partner.partner_id), status === 200 ? 1 : 0);
  });
}
