/** One-time links: the first owner's, invitations and resets. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOwnerLink } from "../../src/people/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import type { Client } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { cookieOf, follow, ownerOf, pageOf, PASSWORD, signIn, tokenIn } from "./people-kit.ts";
import { atEnd } from "../kit/started.ts";

const clock = { ahead_ms: 0, now_ms: () => Date.now() + clock.ahead_ms };
const api = await fileApi({ clock });
const deps = { clock, makeId: idSource(clock) };

const firstOf = (client: Client) => firstOwnerLink(api.sql, deps, client.tenantId as never);

const tokenOf = async (client: Client): Promise<string> => (await firstOf(client))?.token ?? "";

const look = (client: Client, token: string) => pageOf(client).post("/auth/links/look", { token });
const use = (client: Client, body: object) =>
  pageOf(client).post("/auth/links/use", { password: PASSWORD, ...body });

test("the first owner gives a name and an email, and is signed in", async () => {
  const acme = await api.tenant();
  const link = await firstOf(acme);
  const { token = "", expires_ts } = link ?? {};
  assert.deepEqual(ok(await look(acme, token)).body, {
    kind: "first_owner",
    name: "Owner",
    email: null,
    tenant_name: ok(await acme.get("/crm/admin/tenant")).body.name,
    has_second_factor: false,
    expires_ts,
  });
  const unnamed = await use(acme, { token });
  assert.equal(unnamed.status, 422);
  const faults = unnamed.body.detail as { loc: string[]; type: string }[];
  assert.deepEqual(
    faults.map(({ loc, type }) => [...loc, type].join(".")),
    ["body.name.missing", "body.email.missing"],
  );
  const used = ok(await use(acme, { token, name: "Ada Example", email: "Ada@example.com" }));
  assert.equal(used.body.person.email, "ada@example.com");
  assert.equal(used.body.person.role, "owner");
  assert.equal((await pageOf(acme, cookieOf(used)).get("/crm/admin/tenant")).status, 200);
  // The user that owns the first token becomes the owner who signs in.
  assert.equal(used.body.person.id, acme.personId);
  assert.equal(await firstOf(acme), undefined);
});

test("a link works once, then looks like an unknown one, and a new one ends the earlier", async () => {
  const acme = await api.tenant();
  const old = await tokenOf(acme);
  const token = await tokenOf(acme);
  const who = { name: "Ada", email: "once@example.com" };
  await follow(acme, token, who);
  for (const gone of [old, token, "x".repeat(40)]) {
    for (const answer of [await look(acme, gone), await use(acme, { token: gone, ...who })]) {
      assert.deepEqual([answer.status, answer.body], [404, { detail: "Not Found" }]);
    }
  }
});

test("of two users of a link at the same time only one is signed in", async () => {
  const acme = await api.tenant();
  const token = await tokenOf(acme);
  const body = { token, name: "Ada", email: "race@example.com" };
  const answers = await Promise.all([use(acme, body), use(acme, body), use(acme, body)]);
  const counts = Object.groupBy(answers, ({ status }) => String(status));
  assert.deepEqual([counts["200"]?.length, counts["404"]?.length], [1, 2]);
});

test("a link ends after a day", async (t) => {
  atEnd(t, () => (clock.ahead_ms = 0));
  const acme = await api.tenant();
  const token = await tokenOf(acme);
  clock.ahead_ms = 24 * 3600_000 + 2000;
  assert.equal((await look(acme, token)).status, 404);
});

test("a password that is easily guessed is rejected, and never repeated", async () => {
  const acme = await api.tenant();
  const token = await tokenOf(acme);
  const who = { token, name: "Ada Lovelace Example", email: "guess@example.com" };
  const refused = {
    "too short": "Sh0rt!",
    "too long": "x".repeat(201),
    "the email": "GUESS@example.com",
    "the name": "ada lovelace example",
    common: "Password123",
  };
  for (const [why, password] of Object.entries(refused)) {
    const answer = await use(acme, { ...who, password });
    assert.equal(answer.status, 422, why);
    assert.deepEqual(answer.body.detail[0].loc, ["body", "password"], why);
    assert.ok(!answer.text.includes(password), why);
  }
  const unreadable = await acme.request({
    method: "POST",
    path: "/auth/links/use",
    headers: { authorization: null, "content-type": "application/json" },
    body: `{"token": "${token}", "password": "keep this secret", `,
  });
  assert.equal(unreadable.status, 422);
  assert.ok(!unreadable.text.includes("keep this secret"));
  assert.equal((await use(acme, { ...who, email: "no email" })).status, 422);
  // None of these requests used up the link.
  await follow(acme, token, { name: "Ada", email: "guess@example.com" });
});

test("with the same email and password in two tenants, the caller names the tenant", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const third = await api.tenant();
  const email = "both@example.com";
  for (const client of [acme, rival]) await ownerOf(api, client, email);
  await follow(third, await tokenOf(third), { name: "X", email, password: "another of the same" });
  const several = await signIn(acme, { email });
  assert.equal(several.status, 409);
  const ids = several.body.tenants.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids.toSorted(), [acme.tenantId, rival.tenantId].toSorted());
  const { name, handle } = ok(await rival.get("/crm/admin/tenant")).body;
  const shown = several.body.tenants.find(({ id }: { id: string }) => id === rival.tenantId);
  assert.deepEqual(shown, { id: rival.tenantId, name, handle });
  const chosen = ok(await signIn(acme, { email, tenant_id: rival.tenantId }));
  assert.equal(chosen.body.tenant.id, rival.tenantId);
  const only = ok(await signIn(acme, { email, password: "another of the same" }));
  assert.equal(only.body.tenant.id, third.tenantId);
});

test("a password that is set with a link ends the user's sessions and other links", async () => {
  const acme = await api.tenant();
  const page = await ownerOf(api, acme, "reset@example.com");
  const newLink = async () => {
    const { link } = ok(await acme.post(`/crm/admin/people/${acme.personId}/link`)).body;
    return tokenIn(link as string);
  };
  const used = await newLink();
  const other = await newLink();
  const fresh = await follow(acme, used, { password: "another good password" });
  assert.equal((await page.get("/auth/session")).status, 401);
  assert.equal((await fresh.get("/auth/session")).status, 200);
  assert.equal((await look(acme, other)).status, 404);
});
