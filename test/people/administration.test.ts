/** Administration of users: who may change which user, and what each role allows. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROLES } from "../../src/people/index.ts";
import { sharedApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import type { Client } from "../kit/api.ts";
import { follow, ownerOf, pageOf, signIn, tokenIn, type Page } from "./people-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const owner = await ownerOf(api, acme, "owner@example.com");
const PEOPLE = "/crm/admin/people";

let made = 0;
/** Returns a signed-in user with a role. */
async function personOf(role: string, client: Client = acme, by: Page | Client = owner) {
  const email = `${role}${++made}@example.com`;
  const created = ok(await by.post(PEOPLE, { name: `A ${role}`, email, role })).body;
  const page = await follow(client, tokenIn(created.link));
  return { id: created.id as string, email, page };
}

/** A representative operation for each permission. */
const OPERATIONS: Readonly<Record<string, (page: Page) => ReturnType<Page["get"]>>> = {
  "records:read": (page) => page.get("/crm/leads"),
  "records:write": (page) => page.post("/crm/leads", { name: "Made" }),
  "exchange:review": (page) => page.get("/crm/admin/pushed_leads"),
  admin: (page) => page.get("/crm/admin/tenant"),
  "ssn:read": (page) => page.get(`/crm/leads/${numbered}?reveal=ssn`),
};
const numbered = ok(await acme.post("/crm/leads", { name: "N", ssn: "123-45-6789" })).body._id;

const OPENS: Readonly<Record<string, readonly string[]>> = {
  owner: ["records:read", "records:write", "exchange:review", "admin", "ssn:read"],
  admin: ["records:read", "records:write", "exchange:review", "admin"],
  reviewer: ["records:read", "exchange:review"],
  agent: ["records:read", "records:write"],
  viewer: ["records:read"],
};

for (const [role, opens] of Object.entries(OPENS)) {
  test(`the role ${role} opens what it says and nothing else`, async () => {
    const { page } = await personOf(role);
    const told = ok(await page.get("/auth/session")).body.permissions;
    assert.deepEqual(told.toSorted(), opens.toSorted());
    for (const [permission, ask] of Object.entries(OPERATIONS)) {
      const { status, text } = await ask(page);
      assert.equal(status, opens.includes(permission) ? 200 : 403, `${permission}: ${text}`);
    }
  });
}

test("the guide's table of roles matches the service", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/people.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `(\w+)` \| ((?:`[\w:]+`(?:, )?)+) \|/gm)];
  const told = rows.map(([, role, names = ""]) => [role, names.replaceAll("`", "").split(", ")]);
  assert.deepEqual(Object.fromEntries(told), ROLES);
});

test("a user is invited, listed, and active after setting a password", async () => {
  const { id } = ok(
    await owner.post(PEOPLE, { name: "Bob", email: " Bob@Example.com", role: "agent" }),
  ).body;
  const find = async () => {
    const people = ok(await owner.get(PEOPLE)).body as { id: string; status: string }[];
    return people.find((person) => person.id === id) as Record<string, unknown> | undefined;
  };
  const { created_ts, created_date, ...rest } = (await find()) ?? {};
  assert.equal(new Date(Number(created_ts) * 1000).toISOString().slice(0, 19) + "Z", created_date);
  assert.deepEqual(rest, {
    id,
    name: "Bob",
    email: "bob@example.com",
    role: "agent",
    status: "invited",
    has_second_factor: false,
    last_used_ts: null,
    last_used_date: null,
  });
  assert.equal((await signIn(acme, { email: "bob@example.com" })).status, 401);
  const { link, link_expires_ts } = ok(await owner.post(`${PEOPLE}/${id}/link`)).body;
  assert.ok(Math.abs(link_expires_ts - Date.now() / 1000 - 72 * 3600) < 60);
  await follow(acme, tokenIn(link));
  assert.equal((await find())?.["status"], "active");
  const reset = ok(await owner.post(`${PEOPLE}/${id}/link`)).body;
  assert.ok(Math.abs(reset.link_expires_ts - Date.now() / 1000 - 24 * 3600) < 60);
  const audit = ok(await owner.get("/crm/admin/audit?subject_type=person"));
  assert.ok(!audit.text.includes(tokenIn(link)));
});

test("the same email twice in a tenant returns 409 with the id, also concurrently and in another case", async () => {
  const body = { name: "Twice", email: "twice@example.com", role: "viewer" };
  const tries = await Promise.all([owner.post(PEOPLE, body), acme.post(PEOPLE, body)]);
  const [first, second] = tries.toSorted((a, b) => a.status - b.status);
  assert.deepEqual([first?.status, second?.status], [200, 409]);
  assert.equal(second?.body.existing_id, first?.body.id);
  const other = await owner.post(PEOPLE, { ...body, email: "TWICE@example.com" });
  assert.equal(other.body.existing_id, first?.body.id);
  const { id } = await personOf("viewer");
  const taken = await owner.patch(`${PEOPLE}/${id}`, { email: body.email });
  assert.deepEqual([taken.status, taken.body.existing_id], [409, first?.body.id]);
  const rival = await api.tenant();
  assert.equal((await rival.post(PEOPLE, body)).status, 200);
});

test("a repeated key invites once, and returns the same link", async () => {
  const body = { name: "Once", email: "once@example.com", role: "viewer" };
  const key = { "idempotency-key": "invite-once" };
  const first = ok(await owner.post(PEOPLE, body, key)).body;
  assert.deepEqual(ok(await owner.post(PEOPLE, body, key)).body, first);
});

test("what is not a valid user returns 422 at its field", async () => {
  const right = { name: "N", email: "n@example.com", role: "viewer" };
  const wrong = {
    name: ["", null, 5],
    email: ["no email", "a@b", "a b@example.com", "", null],
    role: ["boss", "", null],
  };
  for (const [member, values] of Object.entries(wrong)) {
    for (const value of values) {
      const answer = await owner.post(PEOPLE, { ...right, [member]: value });
      assert.equal(answer.status, 422, `${member} ${value}`);
      assert.deepEqual(answer.body.detail[0].loc, ["body", member]);
    }
  }
  assert.equal((await owner.patch(`${PEOPLE}/${acme.personId}`, {})).status, 400);
  assert.equal((await owner.patch(`${PEOPLE}/nobody`, { name: "X" })).status, 404);
});

test("only an owner creates, changes, suspends or resets an owner", async () => {
  const { page: admin } = await personOf("admin");
  const { id } = await personOf("owner");
  const { id: agent } = await personOf("agent");
  const token = await acme.token(["admin"]);
  for (const by of [admin, token]) {
    const body = { name: "O", email: `o${++made}@example.com`, role: "owner" };
    const attempts = [
      by.post(PEOPLE, body),
      by.patch(`${PEOPLE}/${id}`, { name: "X" }),
      by.patch(`${PEOPLE}/${id}`, { status: "suspended" }),
      by.patch(`${PEOPLE}/${id}`, { role: "viewer" }),
      by.patch(`${PEOPLE}/${agent}`, { role: "owner" }),
      by.post(`${PEOPLE}/${id}/link`),
      by.delete(`${PEOPLE}/${id}/sessions`),
      by.delete(`${PEOPLE}/${id}/second_factor`),
    ];
    for (const answer of await Promise.all(attempts)) assert.equal(answer.status, 403, answer.text);
    assert.equal((await by.patch(`${PEOPLE}/${agent}`, { role: "viewer" })).status, 200);
  }
  assert.equal((await owner.patch(`${PEOPLE}/${id}`, { name: "Other owner" })).status, 200);
});

test("no user changes their role or status, but their name they may", async () => {
  const { id, page } = await personOf("admin");
  for (const patch of [{ role: "viewer" }, { role: "owner" }, { status: "suspended" }]) {
    assert.equal((await page.patch(`${PEOPLE}/${id}`, patch)).status, 403);
  }
  assert.equal((await page.patch(`${PEOPLE}/${id}`, { name: "Me" })).status, 200);
});

test("the last owner who can sign in remains one, whatever is requested concurrently", async () => {
  const rival = await api.tenant();
  await ownerOf(api, rival, "first@example.com");
  const { id: second } = await personOf("owner", rival, rival);
  const invited = { name: "Not in yet", email: "third@example.com", role: "owner" };
  ok(await rival.post(PEOPLE, invited));
  const answers = await Promise.all([
    rival.patch(`${PEOPLE}/${rival.personId}`, { role: "admin" }),
    rival.patch(`${PEOPLE}/${second}`, { status: "suspended" }),
  ]);
  const counts = Object.groupBy(answers, ({ status }) => String(status));
  assert.deepEqual([counts["200"]?.length, counts["409"]?.length], [1, 1]);
});

test("a suspended user's sessions and links end at once, until they are reinstated", async () => {
  const { id, email, page } = await personOf("agent");
  const { link } = ok(await owner.post(`${PEOPLE}/${id}/link`)).body;
  assert.equal((await page.get("/crm/leads")).status, 200);
  const suspended = ok(await owner.patch(`${PEOPLE}/${id}`, { status: "suspended" })).body;
  assert.equal(suspended.status, "suspended");
  assert.equal((await page.get("/crm/leads")).status, 401);
  const wrong = await signIn(acme, { email });
  assert.deepEqual([wrong.status, wrong.body.detail], [401, "Wrong email or password"]);
  const looked = await pageOf(acme).post("/auth/links/look", { token: tokenIn(link) });
  assert.equal(looked.status, 404);
  assert.equal((await owner.post(`${PEOPLE}/${id}/link`)).status, 409);
  assert.equal(
    ok(await owner.patch(`${PEOPLE}/${id}`, { status: "active" })).body.status,
    "active",
  );
  assert.equal((await page.get("/crm/leads")).status, 401);
  assert.equal((await signIn(acme, { email })).status, 200);
});

test("another role applies from the next request on", async () => {
  const { id, page } = await personOf("viewer");
  assert.equal((await page.post("/crm/leads", { name: "X" })).status, 403);
  ok(await owner.patch(`${PEOPLE}/${id}`, { role: "agent" }));
  assert.equal((await page.post("/crm/leads", { name: "X" })).status, 200);
});

test("an administrator ends all sessions of a user", async () => {
  const { id, page, email } = await personOf("viewer");
  await signIn(acme, { email });
  assert.deepEqual(ok(await owner.delete(`${PEOPLE}/${id}/sessions`)).body, { ended: 2 });
  assert.equal((await page.get("/auth/session")).status, 401);
});

test("another email ends the links that were created for the old one", async () => {
  const { id, email } = await personOf("viewer");
  const { link } = ok(await owner.post(`${PEOPLE}/${id}/link`)).body;
  ok(await owner.patch(`${PEOPLE}/${id}`, { email: `new-${email}` }));
  const token = tokenIn(link);
  assert.equal((await pageOf(acme).post("/auth/links/look", { token })).status, 404);
  assert.equal((await signIn(acme, { email: `new-${email}` })).status, 200);
});

test("a user who only owns tokens can be given an email and a role", async () => {
  const token = { name: "Website", permissions: ["records:write"], owner: "Web" };
  const { userid: id } = ok(await acme.post("/crm/admin/access_tokens", token)).body;
  const people = ok(await owner.get(PEOPLE)).body as { id: string; status: string }[];
  assert.equal(people.find((person) => person.id === id)?.status, "token_only");
  assert.equal((await owner.post(`${PEOPLE}/${id}/link`)).status, 409);
  assert.equal((await owner.patch(`${PEOPLE}/${id}`, { status: "suspended" })).status, 409);
  const half = await owner.patch(`${PEOPLE}/${id}`, { email: "web@example.com" });
  assert.deepEqual([half.status, half.body.detail[0].loc], [422, ["body", "role"]]);
  const whole = { email: "web@example.com", role: "agent" };
  assert.equal(ok(await owner.patch(`${PEOPLE}/${id}`, whole)).body.status, "invited");
  const { link } = ok(await owner.post(`${PEOPLE}/${id}/link`)).body;
  await follow(acme, tokenIn(link));
});

test("another tenant's owner sees and changes no user here", async () => {
  const rival = await api.tenant();
  const stranger = await ownerOf(api, rival, "stranger@example.com");
  const { id, page } = await personOf("agent");
  const people = ok(await stranger.get(PEOPLE)).body as { id: string }[];
  assert.deepEqual(
    people.map((person) => person.id),
    [rival.personId],
  );
  const attempts = [
    stranger.patch(`${PEOPLE}/${id}`, { status: "suspended" }),
    stranger.post(`${PEOPLE}/${id}/link`),
    stranger.delete(`${PEOPLE}/${id}/sessions`),
    stranger.delete(`${PEOPLE}/${id}/second_factor`),
  ];
  for (const answer of await Promise.all(attempts)) {
    assert.deepEqual([answer.status, answer.body], [404, { detail: "Not Found" }]);
  }
  assert.equal((await page.get("/crm/leads")).status, 200);
});
