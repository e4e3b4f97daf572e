/**
 * Idempotency-Key: which keys are valid, who owns them, how long they last, and what happens while the first request
 * is still running.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { deleteOldResponses } from "../../../src/platform/operations/idempotency.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import { accepted, setWebhook } from "../../exchange/callouts/callout-kit.ts";
import { partnerOf, REVIEW, somebody } from "../../exchange/exchange-kit.ts";
import { askToken, tokenOf, withToken } from "../../exchange/partner-kit.ts";
import { startApi, type Answer, type Client } from "../../kit/api.ts";
import { movableClock } from "../../kit/clock.ts";
import { fileApi } from "../../kit/file-api.ts";
import { answerOf, isReplay, newKey, sendKeyed } from "./keyed-samples.ts";
import { startOwnApp } from "../own-app.ts";
import { ok, type Body } from "../samples.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";

const api = await fileApi({ works: true });
const acme = await api.tenant();

const create = (client: Client, key: string, body: Body | string, path = "/crm/leads") =>
  sendKeyed(client, "POST", key, { path, body });

const keysOf = async (client: Client): Promise<number> => {
  const [row] = await api.sql`
    select count(*)::integer as count from idempotency_keys where tenant_id = ${client.tenantId}`;
  return row?.["count"] as number;
};

async function named(client: Client, name: string): Promise<number> {
  const { leads } = ok(await client.get("/crm/leads", { match_filter_dict: { name } })).body;
  return leads.length;
}

test("without a key nothing is stored, and a repeat is a second request", async () => {
  const before = await keysOf(acme);
  for (const _ of [1, 2]) {
    const { headers } = ok(await acme.post("/crm/leads", { name: "Plain" }));
    assert.equal(headers.get("idempotency-replayed"), null);
  }
  assert.equal(await named(acme, "Plain"), 2);
  assert.equal(await keysOf(acme), before);
});

test("a repeat while the first is in progress returns 409 with Retry-After, and afterwards the first response", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Held" })).body;
  const key = newKey();
  const change = { path: `/crm/leads/${_id}`, body: { name: "Changed" } };
  let first: Promise<Answer> | undefined;
  await api.sql.begin(async (tx) => {
    await tx`select from leads where id = ${_id} for update`;
    first = sendKeyed(acme, "PATCH", key, change);
    await untilLockWaits(api.sql, 1);
    const early = await sendKeyed(acme, "PATCH", key, change);
    assert.equal(early.status, 409, early.text);
    assert.equal(early.headers.get("retry-after"), "1");
    assert.match(early.body.detail, /still in progress/);
  });
  const answer = ok((await first) as Answer);
  const later = await sendKeyed(acme, "PATCH", key, change);
  assert.ok(isReplay(later));
  assert.deepEqual(answerOf(later), answerOf(answer));
  assert.equal(answer.body.version, 2);
});

test("of 20 concurrent requests with one key one is carried out", async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => create(acme, key, { name: "At once" })),
  );
  const done = answers.filter(({ status }) => status === 200);
  assert.equal(done.filter((answer) => !isReplay(answer)).length, 1);
  assert.equal(new Set(done.map(({ text }) => text)).size, 1);
  for (const { status } of answers) assert.ok(status === 200 || status === 409);
  assert.equal(await named(acme, "At once"), 1);
});

const REFUSED: readonly (readonly [why: string, body: Body, status: number])[] = [
  ["a body that is wrong", { name: 5 }, 422],
  ["a reference to nothing", { name: "Ada", account_id: "0".repeat(24) }, 422],
  ["an external id that is taken", { name: "Ada", external_id: "taken" }, 409],
];

for (const [why, body, status] of REFUSED) {
  test(`${why} stores nothing, and the corrected request can use the key`, async () => {
    const client = await api.tenant();
    const owner = ok(await client.post("/crm/contacts", { name: "First", external_id: "taken" }));
    const key = newKey();
    const refused = await create(client, key, body, "/crm/contacts");
    assert.equal(refused.status, status, refused.text);
    if (status === 409) assert.equal(refused.body.existing_id, owner.body._id);
    assert.equal(await keysOf(client), 0);
    const mended = ok(await create(client, key, { name: "Ada" }, "/crm/contacts"));
    assert.equal(isReplay(mended), false);
    assert.equal(ok(await client.get("/crm/contacts")).body.length, 2);
  });
}

test("a key belongs to a token, and a partner's key to the partner, whatever token it comes with", async () => {
  const key = newKey();
  const other = await acme.token(["records:write"]);
  const ids = new Set<string>();
  for (const client of [acme, other, await api.tenant()]) {
    const answer = ok(await create(client, key, { name: "Mine" }));
    assert.equal(isReplay(answer), false);
    ids.add(answer.body._id);
  }
  assert.equal(ids.size, 3);

  const partner = await partnerOf(acme);
  const push = { path: "/crm/partner/push", body: somebody() };
  const pushed = ok(await sendKeyed(partner, "POST", key, push));
  const anew = withToken(acme, await tokenOf(acme, partner));
  const again = await sendKeyed(anew, "POST", key, push);
  assert.ok(isReplay(again));
  assert.equal(again.text, pushed.text);
});

test("without its permission a request is no longer replayed", async () => {
  const partner = await partnerOf(acme);
  const key = newKey();
  const push = { path: "/crm/partner/push", body: somebody() };
  ok(await sendKeyed(partner, "POST", key, push));
  ok(await acme.patch(`/crm/admin/partners/${partner.partner_id}`, { can_push: false }));
  assert.equal((await sendKeyed(partner, "POST", key, push)).status, 403);
});

test("a key in quotes is the same key, and an invalid one is reported with all other errors", async () => {
  const first = ok(await create(acme, "plain-key", { name: "Quoted" }));
  assert.equal((await create(acme, '"plain-key"', { name: "Quoted" })).text, first.text);
  ok(await create(acme, "k".repeat(255), { name: "Long" }));
  for (const bad of ["", "a b", "a\tb", '"open', '""', "k".repeat(256), "é"]) {
    const { status, body } = await create(acme, bad, { name: 5 });
    assert.equal(status, 422, bad);
    const locs = body.detail.map(({ loc }: { loc: string[] }) => loc.join("."));
    assert.deepEqual(locs, ["header.Idempotency-Key", "body.name"], bad);
  }
});

test("GET, DELETE, a streamed file and the exchange of a code for a token take no key", async () => {
  const headers = { "idempotency-key": "not a key", "content-type": "application/json" };
  const { _id } = ok(await acme.post("/crm/tasks", { name: "Call" })).body;
  const before = await keysOf(acme);
  ok(await acme.request({ method: "GET", path: `/crm/tasks/${_id}`, headers }));
  ok(await acme.request({ method: "DELETE", path: `/crm/tasks/${_id}`, headers }));
  const file = ok(await acme.post("/crm/imports", { type: "leads" })).body;
  const data = { method: "PUT", path: `/crm/imports/${file.id}/data`, body: "name\nAda\n" };
  const csv = { ...headers, "content-type": "text/csv" };
  const beforeFile = await keysOf(acme);
  ok(await acme.request({ ...data, headers: csv }));
  assert.equal(await keysOf(acme), beforeFile);
  const { partner_id, access_code } = await partnerOf(acme);
  const credentials = JSON.stringify({ partner_id, access_code });
  const path = "/crm/partner/token";
  ok(await acme.request({ method: "POST", path, headers, body: credentials }));
  assert.equal(await keysOf(acme), before);
  ok(await askToken(acme, { partner_id, access_code }));
});

test("an import by webhook is replayed as it was returned, with the endpoint's first outcome", async (t) => {
  const client = await api.tenant();
  const receiver = await startReceiver(t);
  await setWebhook(client, { url: receiver.url });
  const id = await accepted(client, await partnerOf(client));
  const key = newKey();
  const path = `${REVIEW}/${id}/import`;
  const first = ok(await create(client, key, {}, path));
  assert.equal(first.body.status, "imported");
  const again = await create(client, key, {}, path);
  assert.ok(isReplay(again));
  assert.deepEqual(answerOf(again), answerOf(first));
  assert.equal(receiver.received.length, 1);
});

test("a key is valid for 24 h, whatever the request's own dates, and is then free again", async (t) => {
  // Keys expire by the database's clock, so moving the service's clock 25 hours ahead has no effect.
  const clock = movableClock();
  const { sql, tenant } = await startApi(t, { clock });
  const client = await tenant();
  const key = newKey();
  const path = "/crm/admin/access_tokens";
  const expires_at = Math.floor(clock.now_ms() / 1000) + 3600;
  const request = { name: "Short", permissions: ["records:read"], expires_at };
  const first = ok(await create(client, key, request, path));
  clock.forward_s(90_000);
  assert.equal((await create(client, key, request, path)).text, first.text);
  const age = (seconds: number) => sql`
    update idempotency_keys
       set created_ts = extract(epoch from clock_timestamp())::bigint - ${seconds}::bigint`;
  await age(86_390);
  assert.equal((await create(client, key, request, path)).text, first.text);
  assert.equal(await deleteOldResponses(sql), false);
  await age(86_401);
  const second = ok(await create(client, key, { ...request, expires_at: null }, path));
  assert.equal(isReplay(second), false);
  await age(86_401);
  assert.equal(await deleteOldResponses(sql), true);
  const [left] = await sql`select count(*)::integer as count from idempotency_keys`;
  assert.equal(left?.["count"], 0);
});

test("responses can be replayed after a rotation of the master key, sealed ones, too", async (t) => {
  const old = randomBytes(32);
  const next = randomBytes(32);
  const { tenant, databaseUrl } = await startApi(t, { keys: { all: [old] } });
  const client = await tenant();
  const rotated = await startOwnApp(t, { url: databaseUrl, keys: { all: [next, old] } });
  const { bearer } = client;
  for (const path of ["/crm/leads", "/crm/admin/partners"]) {
    const key = newKey();
    const first = ok(await create(client, key, { name: "Ada" }, path));
    const answer = await fetch(rotated.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ name: "Ada" }),
    });
    assert.equal(answer.headers.get("idempotency-replayed"), "true");
    assert.equal(await answer.text(), first.text);
  }
});

test("a response with a secret is stored sealed", async () => {
  const client = await api.tenant();
  for (const [path, body, secretIn] of [
    ["/crm/admin/partners", { name: "Sealed" }, ({ access_code }: Body) => access_code],
    [
      "/crm/admin/access_tokens",
      { name: "Sealed", permissions: ["records:read"] },
      ({ token }: Body) => token,
    ],
  ] as const) {
    const key = newKey();
    const secret = String(secretIn(ok(await create(client, key, body, path)).body));
    const [row] = await api.sql`
      select convert_from(body, 'UTF8') as text from idempotency_keys
       where tenant_id = ${client.tenantId} and key = ${key}`;
    assert.ok(secret.length > 20 && !String(row?.["text"]).includes(secret), path);
  }
});
