/** Access tokens: shown once, stored as a hash, restricted by address and expiry, and revoked immediately. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { file } from "../../kit/started.ts";

const clock = { ahead_ms: 0, now_ms: () => Date.now() + clock.ahead_ms };
const api = await fileApi({ clock, trustedProxies: ["127.0.0.1"] });
const owner = await api.tenant();
const second = await startOwnApp(file, { url: api.databaseUrl, clock });

const TOKENS = "/crm/admin/access_tokens";
const make = async (fields: object) =>
  ok(await owner.post(TOKENS, { name: "T", permissions: ["records:read"], ...fields })).body;

/** Sends a request with a token, from an address reported by a proxy. Returns the status. */
const tried = (token: string, from?: string, url = api.url): Promise<number> =>
  fetch(`${url}/crm/leads?page_size=1`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(from !== undefined && { "x-forwarded-for": from }),
    },
  }).then(async (answer) => (await answer.text(), answer.status));

/** Returns all text in the database. */
async function everyText(): Promise<string> {
  const tables = await api.sql`
    select table_name from information_schema.tables where table_schema = 'public'`;
  const texts = await Promise.all(
    tables.map(
      ({ table_name }) => api.sql`select t::text as text from ${api.sql(String(table_name))} t`,
    ),
  );
  return texts.flatMap((rows) => rows.map(({ text }) => String(text))).join("\n");
}

test("a token is shown once, and is nowhere in the database or the log", async () => {
  const { id, token } = await make({ name: "Shown once" });
  assert.match(token, /^lp_[A-Za-z0-9]{40}$/);
  assert.equal(await tried(token), 200);
  const texts = [
    (await owner.get(TOKENS)).text,
    (await owner.get("/crm/admin/audit")).text,
    await everyText(),
    api.log(),
  ];
  for (const text of texts) assert.ok(!text.includes(token) && !text.includes(token.slice(3)));
  assert.ok(texts[0]?.includes(id));
});

test("a revoked token ends at once here, and within a second in other processes", async () => {
  const { id, token } = await make({});
  assert.deepEqual([await tried(token), await tried(token, undefined, second.url)], [200, 200]);
  assert.deepEqual(ok(await owner.delete(`${TOKENS}/${id}`)).body, { deleted: true, ids: [id] });
  assert.equal(await tried(token), 401);
  clock.ahead_ms = 1001;
  assert.equal(await tried(token, undefined, second.url), 401);
  clock.ahead_ms = 0;
  assert.equal((await owner.delete(`${TOKENS}/${id}`)).status, 404);
});

test("a token ends when it expires", async () => {
  const now_s = Math.floor(clock.now_ms() / 1000);
  const { token, expires_ts } = await make({ expires_at: now_s + 60 });
  assert.equal(expires_ts, now_s + 60);
  assert.equal(await tried(token), 200);
  clock.ahead_ms = 61_000;
  assert.equal(await tried(token), 401);
  clock.ahead_ms = 0;
  for (const expires_at of [now_s - 1, 1.8e12, "2001-01-01", "tomorrow", true]) {
    const refused = await owner.post(TOKENS, { name: "T", permissions: ["admin"], expires_at });
    assert.equal(refused.status, 422, String(expires_at));
    assert.deepEqual(refused.body.detail[0].loc, ["body", "expires_at"]);
  }
});

const LISTS: readonly (readonly [
  list: readonly string[],
  open: readonly string[],
  shut: readonly string[],
])[] = [
  [
    ["192.0.2.7"],
    ["192.0.2.7", "::ffff:192.0.2.7"],
    ["192.0.2.8", "2001:db8::1", "unknown", "::ffff:192.0.2.8"],
  ],
  [
    ["192.0.2.0/24", "10.0.0.0/8"],
    ["192.0.2.255", "10.200.1.1", "::ffff:10.1.2.3"],
    ["192.0.3.0", "11.0.0.1"],
  ],
  [["2001:db8::/32"], ["2001:db8::1", "2001:0DB8:ffff::"], ["2001:db9::1", "192.0.2.1"]],
  [["::ffff:192.0.2.7"], ["192.0.2.7"], ["192.0.2.8"]],
  [["0.0.0.0/0"], ["203.0.113.9"], ["2001:db8::1"]],
];

for (const [list, open, shut] of LISTS) {
  test(`a token for ${list.join(", ")} works only from there`, async () => {
    const { token } = await make({ ip_allow_list: list });
    for (const from of open) assert.equal(await tried(token, from), 200, from);
    for (const from of shut) assert.equal(await tried(token, from), 403, from);
  });
}

test("every invalid address or range is reported at its place", async () => {
  const odd = [
    "192.0.2.1",
    "192.0.2.0/33",
    "example.com",
    "2001:db8::/129",
    "1.2.3",
    "",
    "10.0.0.0/8/8",
    "::1/-1",
  ];
  const refused = await owner.post(TOKENS, {
    name: "T",
    permissions: ["admin"],
    ip_allow_list: odd,
  });
  assert.equal(refused.status, 422);
  const places = refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc.at(-1));
  assert.deepEqual(places, [1, 2, 3, 4, 5, 6, 7]);
});

test("an address that a client claims is not believed", async () => {
  const direct = await fetch(`${second.url}/crm/leads`, {
    headers: {
      authorization: `Bearer ${(await make({ ip_allow_list: ["192.0.2.7"] })).token}`,
      "x-forwarded-for": "192.0.2.7",
    },
  });
  assert.equal(direct.status, 403);
  // Behind a trusted proxy, the service uses the address that the proxy saw, not the one that the caller put first in
  // the header.
  const { token } = await make({ ip_allow_list: ["192.0.2.7"] });
  assert.equal(await tried(token, "192.0.2.7, 203.0.113.9"), 403);
  assert.equal(await tried(token, "203.0.113.9, 192.0.2.7"), 200);
});

test("the time of last use is written after the request, even if the token is changed first", async (t) => {
  const third = await startOwnApp(t, { url: api.databaseUrl });
  const { id, token } = await make({});
  const lastUsed = async () =>
    (ok(await owner.get(TOKENS)).body as { id: string; last_used_ts: number | null }[]).find(
      (told) => told.id === id,
    )?.last_used_ts;
  assert.equal(await lastUsed(), null);
  const from_s = Math.floor(Date.now() / 1000);
  assert.equal(await tried(token, undefined, third.url), 200);
  const changed = await fetch(`${third.url}${TOKENS}/${id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${owner.bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Changed" }),
  });
  assert.equal(changed.status, 200);
  await third.stop();
  const used_s = (await lastUsed()) ?? 0;
  assert.ok(used_s >= from_s && used_s <= Date.now() / 1000, `${used_s}, not from ${from_s} on`);
});

test("a caller without ssn:read cannot create a token with it", async () => {
  const admin: Client = await owner.token(["admin"]);
  const body = { name: "T", permissions: ["records:read", "ssn:read"] };
  const refused = await admin.post(TOKENS, body);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body.detail[0].loc, ["body", "permissions", 1]);
  assert.equal((await owner.post(TOKENS, body)).status, 200);
});

test("only an owner creates a token under an owner's name", async () => {
  const tenant = await api.tenant();
  const admin = await tenant.token(["admin"]);
  const create = (client: Client, name: string | undefined) =>
    client.post(TOKENS, { name: "T", permissions: ["records:read"], owner: name });
  // An admin whose name differs from the owner's.
  const { token } = ok(
    await tenant.post(TOKENS, { name: "A", permissions: ["admin"], owner: "Plain Admin" }),
  ).body;
  const [row] = await api.sql`select name from people where id = ${tenant.personId}`;
  const ownName = String(row?.["name"]);
  const asAdmin = (owner: string | undefined) =>
    tenant.request({
      method: "POST",
      path: TOKENS,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "T", permissions: ["records:read"], owner }),
    });
  for (const name of [ownName, ownName.toUpperCase(), ` ${ownName} `]) {
    const refused = await asAdmin(name);
    assert.equal(refused.status, 422, name);
    assert.deepEqual(refused.body.detail[0].loc, ["body", "owner"]);
    assert.match(refused.body.detail[0].msg, /only an owner can create a token for an owner/);
  }
  assert.equal(ok(await asAdmin("Grace Example")).body.user_name, "Grace Example");
  assert.equal(ok(await asAdmin(undefined)).body.user_name, "Plain Admin");
  assert.equal(ok(await asAdmin("Plain Admin")).body.user_name, "Plain Admin");
  // A user with the owner role also counts as an owner, whatever tokens the user has.
  const invited = { name: "Second Owner", email: "second@example.com", role: "owner" };
  ok(await tenant.post("/crm/admin/people", invited));
  assert.equal((await asAdmin("Second Owner")).status, 422);
  assert.equal(ok(await create(tenant, "Second Owner")).body.user_name, "Second Owner");
  assert.equal(ok(await create(admin, ownName)).body.user_name, ownName);
});

test("two concurrent tokens for a new owner add one user", async () => {
  const name = "New Connector";
  let made: Promise<unknown> | undefined;
  await api.sql.begin(async (tx) => {
    await tx`select from tenants where id = ${owner.tenantId} for update`;
    made = Promise.all([make({ owner: name }), make({ owner: name })]);
    await untilLockWaits(api.sql, 2);
  });
  await made;
  const added = await api.sql`
    select from people where tenant_id = ${owner.tenantId} and name = ${name}`;
  assert.equal(added.count, 1);
});

test("a record that a token creates belongs to its owner", async () => {
  const { token, userid, user_name } = await make({
    owner: "Grace Example",
    permissions: ["records:write"],
  });
  const made = await fetch(`${api.url}/crm/leads`, {
    method: "POST",
    headers: { authorization: `bearer ${token}`, "content-type": "application/json" },
    body: '{"name":"Ada"}',
  }).then((answer) => answer.json() as Promise<Record<string, unknown>>);
  assert.equal(user_name, "Grace Example");
  assert.deepEqual(
    [made["userid"], made["user_name"], made["created_by_userid"]],
    [userid, user_name, userid],
  );
});
