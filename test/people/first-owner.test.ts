/** Without signing in, anyone can find out whether an installation has an owner, but nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOwnerCheck, firstOwnerLink } from "../../src/people/first-owner.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import type { Client } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";
import { noteStatements } from "../kit/sql.ts";
import { ok } from "../api/samples.ts";
import { follow, ownerOf, pageOf, PASSWORD, tokenIn } from "./people-kit.ts";

const clock = { ahead_ms: 0, now_ms: () => Date.now() + clock.ahead_ms };
const api = await fileApi({ clock });
const acme = await api.tenant();
const deps = { clock, makeId: idSource(clock) };

/** Advances the clock by a second and returns the installation's state. */
async function stateOf(client: Client) {
  clock.ahead_ms += 1001;
  return ok(await pageOf(client).get("/auth/installation"));
}

const sql = () => {
  const { sent, wrap } = noteStatements();
  return { sent, db: wrap({ sql: api.sql } as never).sql };
};

test("there is no owner until one has set a password, whatever other users exist", async () => {
  const answer = await stateOf(acme);
  assert.deepEqual(answer.body, { has_owner: false });
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.deepEqual(answer.headers.getSetCookie(), []);
  const agent = { name: "Bo", email: "bo@example.com", role: "agent" };
  const { link } = ok(await acme.post("/crm/admin/people", agent)).body;
  await follow(acme, tokenIn(link as string));
  const invited = { name: "Cleo", email: "cleo@example.com", role: "owner" };
  ok(await acme.post("/crm/admin/people", invited));
  await firstOwnerLink(api.sql, deps, acme.tenantId as never);
  assert.deepEqual((await stateOf(acme)).body, { has_owner: false });
});

test("until there is an owner, requests share one query a second", async () => {
  const { sent, db } = sql();
  const hasOwner = createOwnerCheck(db, clock);
  assert.deepEqual(await Promise.all([hasOwner(), hasOwner(), hasOwner()]), [false, false, false]);
  assert.equal(sent.length, 1);
  clock.ahead_ms += 1001;
  assert.equal(await hasOwner(), false);
  assert.equal(sent.length, 2);
});

test("an owner of any business is enough, and is never queried again", async () => {
  const rival = await api.tenant();
  const { sent, db } = sql();
  const hasOwner = createOwnerCheck(db, clock);
  assert.equal(await hasOwner(), false);
  await ownerOf(api, rival, "ada@example.com");
  assert.deepEqual((await stateOf(acme)).body, { has_owner: true });
  assert.equal(await hasOwner(), true);
  const count = sent.length;
  clock.ahead_ms += 60_000;
  assert.equal(await hasOwner(), true);
  assert.equal(sent.length, count);
});

test("another site's page gets no response, nor does another method", async () => {
  const page = pageOf(acme);
  const headers = { "sec-fetch-site": "cross-site" };
  assert.equal((await page.get("/auth/installation", headers)).status, 403);
  const sent = { email: "ada@example.com", password: PASSWORD };
  assert.equal((await page.post("/auth/installation", sent)).status, 405);
});
