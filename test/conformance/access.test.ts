/** Credentials, permissions and administration. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LISTS, NOBODY, contact, lead } from "./cases.ts";
import {
  assertBlames,
  assertRefused,
  change,
  create,
  idsOf,
  now,
  recordOf,
  type Row,
} from "./checks.ts";
import { movableClock } from "../kit/clock.ts";
import { fileApi } from "../kit/file-api.ts";

const clock = movableClock();
const api = await fileApi({ clock });
type Acme = Awaited<ReturnType<typeof api.tenant>>;
const TOKENS = "/crm/admin/access_tokens";

const withHeader = (acme: Acme, authorization: string | null, path = "/crm/leads") =>
  acme.request({ method: "GET", path, headers: { authorization } });

/** Returns the token in a response: lp_ and 40 characters. */
function tokenIn(text: string): string {
  const [token] = /lp_[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])/.exec(text) ?? [];
  assert.ok(token, text);
  return token;
}

// docs/requests.md#credentials
test("every list takes Authorization: Bearer, in any letter case of the scheme", async () => {
  const acme = await api.tenant();
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    for (const { path } of LISTS) {
      assert.equal((await withHeader(acme, `${scheme} ${acme.bearer}`, path)).status, 200, path);
    }
  }
});

// docs/requests.md#credentials
test("a missing, malformed or unknown token returns 401 with WWW-Authenticate", async () => {
  const acme = await api.tenant();
  const wrong = [
    null,
    "Bearer",
    "Bearer nope",
    acme.bearer,
    `Basic ${acme.bearer}`,
    `Bearer${acme.bearer}`,
    `Bearer lp_${"x".repeat(40)}`,
    `Bearer ${acme.bearer}x`,
    `Partner ${acme.bearer}`,
    `Bearer ${acme.bearer} ${acme.bearer}`,
  ];
  for (const authorization of wrong) {
    for (const path of ["/crm/leads", "/crm/tasks", `/crm/deals/${NOBODY}`, TOKENS]) {
      const reply = await withHeader(acme, authorization, path);
      assertRefused(reply, 401);
      assert.ok(reply.headers.get("www-authenticate"));
    }
  }
});

// docs/tokens.md#create-list-change-revoke
test("an access token is shown once, works, and is revoked at once", async () => {
  const acme = await api.tenant();
  const made = await acme.post(TOKENS, { name: "Reports", permissions: ["records:read"] });
  const { id } = recordOf(made);
  const token = tokenIn(made.text);
  assert.equal((await withHeader(acme, `Bearer ${token}`)).status, 200);
  const listed = await acme.get(TOKENS);
  assert.ok(!listed.text.includes(token));
  const entry = (listed.body as Row[]).find((row) => row["id"] === id);
  assert.equal(entry?.["name"], "Reports");
  assert.deepEqual(entry?.["permissions"], ["records:read"]);
  recordOf(await acme.delete(`${TOKENS}/${id}`));
  const revoked = await withHeader(acme, `Bearer ${token}`);
  assertRefused(revoked, 401);
  const unknown = await withHeader(acme, `Bearer lp_${"x".repeat(40)}`);
  assert.deepEqual(revoked.body, unknown.body, "revoked and unknown are not told apart");
  assertRefused(await acme.delete(`${TOKENS}/nobody`), 404);
});

// docs/requests.md#credentials
test("an expired token gets the response to an unknown one", async () => {
  const acme = await api.tenant();
  const sent = { name: "Short", permissions: ["records:read"], expires_at: now() + 3600 };
  const token = tokenIn((await acme.post(TOKENS, sent)).text);
  assert.equal((await withHeader(acme, `Bearer ${token}`)).status, 200);
  clock.forward_s(3700);
  const expired = await withHeader(acme, `Bearer ${token}`);
  assertRefused(expired, 401);
  const unknown = await withHeader(acme, `Bearer lp_${"x".repeat(40)}`);
  assert.deepEqual(expired.body, unknown.body);
});

// docs/tokens.md#create-list-change-revoke
test("an access token needs a name and known permissions", async () => {
  const acme = await api.tenant();
  assertBlames(await acme.post(TOKENS, { permissions: ["records:read"] }), "body", "name");
  const unknown = { name: "x", permissions: ["records:burn"] };
  assertBlames(await acme.post(TOKENS, unknown), "body", "permissions");
  assertBlames(await acme.post(TOKENS, { name: "x", permissions: [], nick: 1 }), "body");
});

// docs/tokens.md#permissions
test("each permission allows its own operations, and the sentence names the missing one", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  const doors: Record<string, (client: Acme) => Promise<{ status: number; text: string }>> = {
    "records:read": (client) => client.get("/crm/leads"),
    "records:write": (client) => client.post("/crm/leads", { name: "Ada" }),
    admin: (client) => client.get("/crm/admin/audit"),
    "ssn:read": (client) => client.get(`/crm/leads/${_id}`, { reveal: "ssn" }),
  };
  const holds: Record<string, string[]> = {
    "records:read": ["records:read"],
    "records:write": ["records:read", "records:write"],
    admin: ["records:read", "records:write", "admin"],
    "exchange:review": [],
  };
  for (const [permission, open] of Object.entries(holds)) {
    const client = await acme.token([permission]);
    for (const [door, knock] of Object.entries(doors)) {
      const { status, text } = await knock(client);
      assert.equal(status, open.includes(door) ? 200 : 403, `${permission} at ${door}: ${text}`);
      if (status === 403 && (door !== "ssn:read" || open.includes("records:read"))) {
        assert.ok(text.includes(door), text);
      }
    }
  }
});

for (const type of [lead, contact]) {
  // docs/records.md#social-security-numbers
  test(`GET ${type.list}/{id}?reveal=ssn returns the whole number and adds an audit entry`, async () => {
    const acme = await api.tenant();
    const { _id } = await create(acme, type, { ssn: "123-45-6789" });
    const reader = await acme.token(["records:read", "ssn:read"]);
    const reply = await reader.request({
      method: "GET",
      path: `${type.list}/${_id}?reveal=ssn`,
      headers: { "x-request-id": `reveal-${type.name}` },
    });
    assert.match(recordOf(reply)["ssn"], /^123-?45-?6789$/);
    const audit = await acme.get("/crm/admin/audit");
    assert.equal(audit.status, 200);
    assert.ok(audit.text.includes(`reveal-${type.name}`));
    assert.ok(!audit.text.includes("123-45-6789") && !audit.text.includes("123456789"));
    const plain = await acme.token(["records:read"]);
    assertRefused(await plain.get(`${type.list}/${_id}`, { reveal: "ssn" }), 403);
    assertBlames(await reader.get(`${type.list}/${_id}`, { reveal: "name" }), "query", "reveal");
  });

  // docs/requests.md#sending-a-record-back
  test(`an unchanged mask keeps the number of a ${type.name}, another mask returns 422`, async () => {
    const acme = await api.tenant();
    const { _id } = await create(acme, type, { ssn: "123-45-6789" });
    await change(acme, type, _id, { ssn: "***-**-6789", title: "Dr" });
    const told = recordOf(await acme.get(`${type.list}/${_id}`, { reveal: "ssn" }));
    assert.match(told["ssn"], /^123-?45-?6789$/);
    const path = `${type.write}/${_id}`;
    assertBlames(await acme.patch(path, { ssn: "***-**-0000", title: "Dr" }), "body", "ssn");
    assert.equal((await change(acme, type, _id, { ssn: null }))["ssn"], null);
  });
}

// docs/administration.md#audit-log
test("the audit log has who changed what, with old and new values and the request's id", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead, { profession: "engineer" });
  const path = `/crm/leads/${_id}`;
  await acme.request({
    method: "PATCH",
    path,
    headers: { "x-request-id": "change-1", "content-type": "application/json" },
    body: '{"profession":"poet","ssn":"123-45-6789"}',
  });
  const audit = await acme.get("/crm/admin/audit");
  assert.equal(audit.status, 200, audit.text);
  const rows = audit.body as Row[];
  assert.ok(Array.isArray(rows));
  const entry = rows.map((row) => JSON.stringify(row)).find((text) => text.includes("change-1"));
  assert.ok(entry, "the audit log has the change");
  for (const word of ["engineer", "poet", _id]) assert.ok(entry.includes(word), word);
  assert.ok(!audit.text.includes("123-45-6789") && !audit.text.includes("123456789"));
});

// docs/administration.md#tenant-settings
test("GET and PATCH /crm/admin/tenant: name, default_country, timezone, currency", async () => {
  const acme = await api.tenant();
  const before = recordOf(await acme.get("/crm/admin/tenant"));
  assert.equal(before["default_country"], "US");
  for (const name of ["name", "timezone", "currency"]) assert.equal(typeof before[name], "string");
  const sent = {
    name: "Beispiel",
    default_country: "DE",
    timezone: "Europe/Berlin",
    currency: "EUR",
  };
  const changed = recordOf(await acme.patch("/crm/admin/tenant", sent));
  assert.deepEqual({ ...changed, ...sent }, changed);
  const { phone_list } = await create(acme, lead, { phone: "030 901820" });
  assert.equal(phone_list[0]["phone"], "4930901820");
  assert.equal(phone_list[0]["country"], "DE");
  const wrong = { default_country: "ZZ", timezone: "Mars/Base", currency: "DOLLARS", name: 5 };
  for (const [field, value] of Object.entries(wrong)) {
    assertBlames(await acme.patch("/crm/admin/tenant", { [field]: value }), "body", field);
  }
  assertRefused(await acme.patch("/crm/admin/tenant", {}), 400);
});

// docs/requests.md#null-and-empty-values
test("a record's history has its creation and every change that changed something", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, contact, { profession: "engineer" });
  await change(acme, contact, _id, { profession: "poet" });
  await change(acme, contact, _id, { profession: "poet" });
  const history = await acme.get(`/crm/contacts/${_id}/history`);
  assert.equal(history.status, 200, history.text);
  const rows = history.body as Row[];
  assert.equal(rows.length, 2, history.text);
  assert.ok(history.text.includes("engineer") && history.text.includes("poet"));
  const rival = await api.tenant();
  assertRefused(await rival.get(`/crm/contacts/${_id}/history`), 404);
  assert.deepEqual(idsOf(await rival.get("/crm/contacts")), []);
});
