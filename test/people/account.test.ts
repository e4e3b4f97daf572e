/** Changes that users make to their account: password, name, preferences. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { cookieOf, ownerOf, pageOf, PASSWORD, signIn } from "./people-kit.ts";

const api = await fileApi({ trustedProxies: ["127.0.0.1"] });
const acme = await api.tenant();
const email = "ada@example.com";
const ada = await ownerOf(api, acme, email);

const NEW = "battery staple horse";

test("a new password ends all other sessions, and links", async () => {
  const other = pageOf(acme, cookieOf(await signIn(acme, { email })));
  const { link } = ok(await acme.post(`/crm/admin/people/${acme.personId}/link`)).body;
  const change = { current_password: PASSWORD, new_password: NEW };
  assert.equal(ok(await ada.post("/auth/password", change)).body.person.email, email);
  assert.equal((await other.get("/auth/session")).status, 401);
  assert.equal((await ada.get("/auth/session")).status, 200);
  const token = new URL(link).hash.slice(1);
  assert.equal((await pageOf(acme).post("/auth/links/look", { token })).status, 404);
  assert.equal((await signIn(acme, { email })).status, 401);
  assert.equal((await signIn(acme, { email, password: NEW })).status, 200);
  const audit = ok(await acme.get("/crm/admin/audit?action=password_set"));
  assert.ok(!audit.text.includes(NEW) && !audit.text.includes("argon2"));
});

/**
 * Asserts that a password change is rejected and that the response contains none of the passwords. Returns the field
 * with the error.
 */
async function refusedAt(current_password: string, new_password: string): Promise<string> {
  const answer = await ada.post("/auth/password", { current_password, new_password });
  assert.equal(answer.status, 422);
  for (const secret of [current_password, new_password]) {
    assert.ok(!answer.text.includes(secret), answer.text);
  }
  return answer.body.detail[0].loc.join(".");
}

test("a wrong current password and an easily guessed new one are reported at their fields", async () => {
  assert.equal(await refusedAt("not my password", "a new password"), "body.current_password");
  assert.equal(await refusedAt(NEW, email), "body.new_password");
  assert.equal(await refusedAt(NEW, "1234567890"), "body.new_password");
  assert.equal(await refusedAt(NEW, "tiny"), "body.new_password");
});

test("a guessed current password returns 429 after five attempts", async () => {
  const tries = [...Array.from({ length: 5 }, (_, at) => `guess ${at}`), NEW];
  const statuses: number[] = [];
  for (const current_password of tries) {
    const body = { current_password, new_password: PASSWORD };
    const from = { "x-forwarded-for": "198.51.100.7" };
    statuses.push((await ada.post("/auth/password", body, from)).status);
  }
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429]);
});

test("a name is changed, and appears on everything created from then on", async () => {
  const before = ok(await ada.post("/crm/leads", { name: "Before" })).body;
  assert.equal(
    ok(await ada.patch("/auth/profile", { name: "Ada New" })).body.person.name,
    "Ada New",
  );
  const after = ok(await ada.post("/crm/leads", { name: "After" })).body;
  assert.deepEqual([before.user_name, after.user_name], ["Ada Example", "Ada New"]);
  assert.equal((await ada.patch("/auth/profile", {})).status, 400);
  assert.equal((await ada.patch("/auth/profile", { name: "" })).status, 422);
  assert.equal((await ada.patch("/auth/profile", { role: "owner" })).status, 422);
});

test("preferences are returned as they were stored, up to 64 KiB, to this user only", async () => {
  assert.deepEqual(ok(await ada.get("/auth/preferences")).body, {});
  const kept = { views: [{ b: 1, a: "ä" }], 2: null, theme: "dark" };
  assert.equal(ok(await ada.put("/auth/preferences", kept)).text, JSON.stringify(kept));
  assert.equal(ok(await ada.get("/auth/preferences")).text, JSON.stringify(kept));
  assert.equal((await ada.put("/auth/preferences", { x: "x".repeat(64 * 1024) })).status, 413);
  assert.equal((await ada.put("/auth/preferences", [])).status, 422);
  const rival = await api.tenant();
  const eve = await ownerOf(api, rival, "eve@example.com");
  assert.deepEqual(ok(await eve.get("/auth/preferences")).body, {});
});
