/** Signing in: who gets a session, the properties of its cookie, and the limits on guessing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteExpired } from "../../src/people/links.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "../api/own-app.ts";
import { ok } from "../api/samples.ts";
import { cookieOf, ownerOf, pageOf, PASSWORD, signIn } from "./people-kit.ts";
import { atEnd } from "../kit/started.ts";

const clock = { ahead_ms: 0, now_ms: () => Date.now() + clock.ahead_ms };
const api = await fileApi({ clock, trustedProxies: ["127.0.0.1"] });
const acme = await api.tenant();
const rival = await api.tenant();
const owner = await ownerOf(api, acme, "Ada@Example.com");
await ownerOf(api, rival, "eve@example.com");
const EMAIL = "ada@example.com";

let drawn = 0;
/** Returns an address that no other test uses. */
const freshAddress = (): string => `198.51.100.${++drawn}`;

test("an email and its password start a session, whatever the letter case", async () => {
  const answer = await signIn(acme, { email: " ADA@example.com " });
  const { person, tenant, permissions, session } = ok(answer).body;
  assert.deepEqual(person, {
    id: acme.personId,
    name: "Ada Example",
    email: EMAIL,
    role: "owner",
    has_second_factor: false,
    recovery_codes_left: 0,
  });
  assert.equal(tenant.id, acme.tenantId);
  assert.deepEqual(Object.keys(tenant), [
    "id",
    "name",
    "currency",
    "timezone",
    "default_country",
    "is_demo",
  ]);
  assert.ok(permissions.includes("records:write") && permissions.includes("ssn:read"));
  assert.equal(session.expires_ts, session.created_ts + 12 * 3600);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const told = await pageOf(acme, cookieOf(answer)).get("/auth/session");
  assert.deepEqual(ok(told).body.person, person);
});

test("scripts and other sites cannot use the cookie", async () => {
  const [cookie = ""] = (await signIn(acme, { email: EMAIL })).headers.getSetCookie();
  assert.match(cookie, /^leadport=[A-Za-z0-9]{40}; Path=\/; HttpOnly; SameSite=Strict$/);
  const remembered = await signIn(acme, { email: EMAIL, remember: true });
  assert.match(remembered.headers.getSetCookie()[0] ?? "", /; Max-Age=2592000;/);
  const { session } = remembered.body;
  assert.equal(session.expires_ts, session.created_ts + 30 * 86_400);
  const token = cookieOf(remembered).split("=")[1] ?? "";
  const stored = await api.sql`select to_jsonb(s)::text as row from sessions s`;
  assert.ok(stored.every(({ row }) => !row.includes(token)));
  assert.ok(!api.log().includes(token));
});

test("over https the cookie is bound to this host", async () => {
  const headers = { "x-forwarded-proto": "https" };
  const answer = await signIn(acme, { email: EMAIL }, { headers });
  const [cookie = ""] = answer.headers.getSetCookie();
  assert.match(cookie, /^__Host-leadport=\w{40}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const page = pageOf(acme, cookieOf(answer));
  assert.equal((await page.get("/auth/session", headers)).status, 200);
  // A cookie with this name is accepted only over https.
  assert.equal((await page.get("/auth/session")).status, 401);
});

test("a wrong email and a wrong password get the same response", async () => {
  const from = freshAddress();
  const wrong = [
    { email: EMAIL, password: `${PASSWORD} ` },
    { email: EMAIL, password: PASSWORD.toUpperCase() },
    { email: "nobody@example.com", password: PASSWORD },
    { email: "no email", password: PASSWORD },
    { email: EMAIL, password: PASSWORD, tenant_id: rival.tenantId },
    { email: EMAIL, password: PASSWORD, tenant_id: "x" },
  ];
  for (const body of wrong) {
    const answer = await signIn(acme, body, { from });
    assert.deepEqual([answer.status, answer.body], [401, { detail: "Wrong email or password" }]);
    assert.equal(answer.headers.getSetCookie().length, 0);
  }
});

test("five wrong passwords end the guessing there, and nowhere else", async () => {
  const from = freshAddress();
  const wrong = { email: EMAIL, password: "wrong" };
  for (let at = 0; at < 5; at++) assert.equal((await signIn(acme, wrong, { from })).status, 401);
  for (const body of [wrong, { email: EMAIL }]) {
    const blocked = await signIn(acme, body, { from });
    assert.equal(blocked.status, 429);
    const wait_s = Number(blocked.headers.get("retry-after"));
    assert.ok(wait_s > 880 && wait_s <= 900, String(wait_s));
  }
  assert.equal((await signIn(acme, { email: EMAIL }, { from: freshAddress() })).status, 200);
  assert.equal((await signIn(rival, { email: "eve@example.com" }, { from })).status, 200);
});

test("one address that tries many emails is stopped after fifty", async () => {
  const from = "2001:db8:1:2::1";
  const { body } = await signIn(acme, { email: "a0@example.com" }, { from });
  assert.equal(body.detail, "Wrong email or password");
  const address = "2001:db8:1:2::/64";
  await api.sql`
    insert into wrong_attempts (target, address, at)
    select sha256('sign-in'), ${address}, clock_timestamp() from generate_series(1, 49)`;
  // Another address in the same /64 network, which belongs to a single customer.
  const other = { from: "2001:db8:1:2:ffff::9" };
  assert.equal((await signIn(acme, { email: EMAIL }, other)).status, 429);
  assert.equal((await signIn(acme, { email: EMAIL }, { from: "2001:db8:1:3::1" })).status, 200);
});

test("a session opens what its role may, and the audit log names the user", async () => {
  const made = ok(await owner.post("/crm/leads", { name: "Lead" }));
  assert.equal(made.body.userid, acme.personId);
  const history = ok(await owner.get(`/crm/leads/${made.body._id}/history`)).body;
  const { actor } = history.at(0);
  assert.deepEqual(actor, { kind: "person", id: acme.personId, name: "Ada Example" });
  const audit = ok(await owner.get("/crm/admin/audit?action=signed_in")).body;
  assert.equal(audit[0].subject_id, acme.personId);
  assert.equal((await pageOf(rival, owner.cookie).get(`/crm/leads/${made.body._id}`)).status, 200);
});

test("a repeated key of a user is one request, whichever session sends it", async () => {
  const second = pageOf(acme, cookieOf(await signIn(acme, { email: EMAIL })));
  const key = { "idempotency-key": "lead-1" };
  const first = ok(await owner.post("/crm/leads", { name: "Once" }, key));
  const again = ok(await second.post("/crm/leads", { name: "Once" }, key));
  assert.equal(again.body._id, first.body._id);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
});

test("next to an Authorization header the cookie does not count", async () => {
  const { cookie = "" } = owner;
  const path = "/crm/leads";
  const answers = await Promise.all([
    acme.request({ method: "GET", path, headers: { authorization: "Bearer x", cookie } }),
    acme.request({ method: "GET", path, headers: { cookie: "leadport=x" } }),
    acme.request({ method: "GET", path, headers: { authorization: null, cookie } }),
    acme.request({ method: "GET", path, headers: { authorization: null, cookie: "leadport=x" } }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 200, 200, 401],
  );
});

test("requests from another site's page are rejected", async () => {
  const { cookie = "" } = owner;
  const { host } = new URL(acme.url);
  const write = async (headers: Readonly<Record<string, string | null>>) =>
    (await owner.post("/crm/leads", { name: "Forged" }, { "sec-fetch-site": null, ...headers }))
      .status;
  assert.equal(await write({ "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await write({ "sec-fetch-site": "same-site" }), 403);
  assert.equal(await write({ "sec-fetch-site": "none" }), 200);
  assert.equal(await write({}), 403);
  assert.equal(await write({ origin: "https://evil.example.com" }), 403);
  assert.equal(await write({ origin: "null" }), 403);
  assert.equal(await write({ origin: `http://${host}` }), 200);
  // Behind a trusted proxy, a page has the same origin if its host is the host that the client requested from the
  // proxy.
  const proxied = { origin: "https://crm.example.com", "x-forwarded-host": "crm.example.com" };
  assert.equal(await write(proxied), 200);
  const read = (site: string) => owner.get("/crm/leads", { "sec-fetch-site": site });
  const refused = await read("cross-site");
  assert.deepEqual(refused.body, { detail: "This request came from a page on another site" });
  assert.equal((await read("same-site")).status, 200);
  const signing = { headers: { "sec-fetch-site": "cross-site", cookie } };
  assert.equal((await signIn(acme, { email: EMAIL }, signing)).status, 403);
  // Unlike cookies, tokens can be sent from any site.
  const headers = { "sec-fetch-site": "cross-site" };
  assert.equal((await acme.request({ method: "GET", path: "/crm/leads", headers })).status, 200);
});

test("a request that is meant for another user returns 401 and stores nothing", async () => {
  const { id } = ok(await owner.get("/auth/session")).body["person"] as { readonly id: string };
  const write = (headers: Readonly<Record<string, string>>) =>
    owner.post("/crm/leads", { name: "Meant" }, headers);
  const refused = await write({ "x-person-id": "6b0000000000000000000000" });
  assert.equal(refused.status, 401);
  assert.deepEqual(refused.body, { detail: "Another user has signed in in this browser" });
  assert.equal((await owner.get("/auth/session", { "x-person-id": "" })).status, 401);
  const filter = { match_filter_dict: { name: "Meant" } };
  assert.deepEqual(ok(await acme.get("/crm/leads", filter)).body["leads"], []);
  ok(await write({ "x-person-id": id }));
  // A token belongs to a program, which no other user can replace.
  ok(await acme.request({ method: "GET", path: "/crm/leads", headers: { "x-person-id": "x" } }));
});

test("signing out ends the session at once, and deletes the cookie", async () => {
  const page = pageOf(acme, cookieOf(await signIn(acme, { email: EMAIL })));
  assert.equal((await page.get("/auth/session")).status, 200);
  const out = ok(await page.post("/auth/sign_out"));
  assert.deepEqual(out.body, { signed_out: true });
  assert.match(out.headers.getSetCookie()[0] ?? "", /^leadport=; Max-Age=0; Path=\/; HttpOnly/);
  assert.equal((await page.get("/auth/session")).status, 401);
  assert.equal((await page.get("/crm/leads")).status, 401);
  assert.deepEqual(ok(await page.post("/auth/sign_out")).body, { signed_out: false });
});

test("a user can end their sessions from another one, and no one else's", async () => {
  const one = await signIn(acme, { email: EMAIL });
  const two = await signIn(acme, { email: EMAIL });
  const page = pageOf(acme, cookieOf(one));
  const other = pageOf(acme, cookieOf(two));
  const listed = ok(await page.get("/auth/sessions")).body;
  const current = listed.filter(({ is_current }: { is_current: boolean }) => is_current);
  assert.deepEqual(
    current.map(({ id }: { id: string }) => id),
    [one.body.session.id],
  );
  assert.equal(listed[0].id, two.body.session.id);
  assert.equal(listed[0].address, "127.0.0.1");
  const eve = pageOf(rival, cookieOf(await signIn(rival, { email: "eve@example.com" })));
  assert.equal((await eve.delete(`/auth/sessions/${listed[0].id}`)).status, 404);
  assert.equal((await other.get("/auth/session")).status, 200);
  assert.deepEqual(ok(await page.delete(`/auth/sessions/${listed[0].id}`)).body, { ended: 1 });
  assert.equal((await other.get("/auth/session")).status, 401);
  assert.equal((await page.delete("/auth/sessions/x")).status, 404);
  ok(await page.post("/auth/sessions/end_others"));
  assert.equal(ok(await page.get("/auth/sessions")).body.length, 1);
});

test("a session ends after twelve hours without use, a remembered one after thirty days", async (t) => {
  atEnd(t, () => (clock.ahead_ms = 0));
  // Use a separate user, because advancing the clock would affect the tests of when a session was last used.
  const email = "eve@example.com";
  const short = pageOf(rival, cookieOf(await signIn(rival, { email })));
  const kept = pageOf(rival, cookieOf(await signIn(rival, { email, remember: true })));
  clock.ahead_ms = 12 * 3600_000 + 2000;
  assert.equal((await short.get("/auth/session")).status, 401);
  assert.equal((await kept.get("/auth/session")).status, 200);
  clock.ahead_ms = 30 * 86_400_000 + 2000;
  assert.equal((await kept.get("/auth/session")).status, 401);
});

test("no session works when it is sent as something else: a token, a partner's scheme, an /auth without one", async () => {
  const [, token = ""] = (owner.cookie ?? "").split("=");
  for (const scheme of ["Bearer", "Partner"]) {
    const headers = { authorization: `${scheme} ${token}` };
    for (const path of ["/crm/leads", "/crm/partner/me"]) {
      assert.equal((await acme.request({ method: "GET", path, headers })).status, 401);
    }
  }
  for (const path of ["/auth/session", "/auth/sessions"]) {
    assert.equal((await acme.get(path)).status, 401);
  }
});

test("what ends in one process ends in the others within a second", async (t) => {
  atEnd(t, () => (clock.ahead_ms = 0));
  const other = await startOwnApp(t, { url: api.databaseUrl, clock });
  const page = pageOf(acme, cookieOf(await signIn(acme, { email: EMAIL })));
  const { cookie = "" } = page;
  const asked = async () => {
    const answer = await fetch(`${other.url}/auth/session`, { headers: { cookie } });
    return (await answer.text(), answer.status);
  };
  assert.equal(await asked(), 200);
  ok(await page.post("/auth/sign_out"));
  clock.ahead_ms = 1001;
  assert.equal(await asked(), 401);
});

test("a stream of changes that a page reads ends with its session", async () => {
  const page = pageOf(acme, cookieOf(await signIn(acme, { email: EMAIL })));
  const { cookie = "" } = page;
  const answer = await fetch(`${acme.url}/crm/changes/stream`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  const reading = answer.text();
  ok(await page.post("/auth/sign_out"));
  assert.match(await reading, /^retry: 1000\n/);
});

test("the last use of a session and of its user is stored when the service stops", async (t) => {
  const { stop, url } = await startOwnApp(t, {
    url: api.databaseUrl,
    clock: { now_ms: () => Date.now() + 60_000 },
  });
  const page = pageOf(acme, cookieOf(await signIn(acme, { email: EMAIL })));
  await (await fetch(`${url}/auth/session`, { headers: { cookie: page.cookie ?? "" } })).text();
  await stop();
  const [session] = ok(await page.get("/auth/sessions")).body;
  assert.ok(session.last_used_ts - session.created_ts >= 59, JSON.stringify(session));
  const people = ok(await page.get("/crm/admin/people")).body;
  const { last_used_ts } = people.find(({ id }: { id: string }) => id === acme.personId);
  assert.equal(last_used_ts, session.last_used_ts);
});

/** Returns a clock that is `ahead_s` seconds ahead. */
const at = (ahead_s: number) => ({ now_ms: () => Date.now() + ahead_s * 1000 });

test("expired sessions and links are deleted, and others are not", async () => {
  ok(await signIn(acme, { email: EMAIL, remember: true }));
  ok(await acme.post(`/crm/admin/people/${acme.personId}/link`));
  const left = async () => {
    const [row] = await api.sql`
      select (select count(*) from sessions)::integer as sessions,
             (select count(*) from sign_in_links)::integer as links`;
    return row as unknown as { sessions: number; links: number };
  };
  const before = await left();
  await deleteExpired(api.sql, at(0));
  assert.deepEqual(await left(), before);
  await deleteExpired(api.sql, at(25 * 3600));
  assert.deepEqual(await left(), { ...before, links: 0 });
  assert.equal(await deleteExpired(api.sql as never, at(31 * 86_400)), true);
  assert.deepEqual(await left(), { sessions: 0, links: 0 });
});
