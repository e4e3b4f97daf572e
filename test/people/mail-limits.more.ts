/** Limits on emails: per recipient, and per sender. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { movableClock } from "../kit/clock.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { createInbox, follow, ownerOf, pageOf, tokenIn } from "./people-kit.ts";

const clock = movableClock();
const { inbox, mailer } = createInbox();
const api = await fileApi({ clock, mailer, trustedProxies: ["127.0.0.1"] });

const PEOPLE = "/crm/admin/people";
const mailsTo = (email: string) => inbox.filter(({ to }) => to === email);

let drawn = 0;
const forgot = (email: string) =>
  pageOf(someone).post(
    "/auth/forgotten",
    { email },
    { "x-forwarded-for": `2001:db8:${(++drawn).toString(16)}::1` },
  );
const someone = await api.tenant();

test("of 50 invitations in a row to one stranger, five are sent", async () => {
  const email = "stranger@example.com";
  const owner = await ownerOf(api, someone, "owner@example.com");
  const first = ok(await owner.post(PEOPLE, { name: "S", email, role: "viewer" })).body;
  const again = () => owner.post(`${PEOPLE}/${first.id}/link`);
  const emailed: boolean[] = [first.emailed];
  for (let at = 0; at < 49; at++) emailed.push(ok(await again()).body.emailed);
  assert.deepEqual(emailed, [...Array(5).fill(true), ...Array(45).fill(false)]);
  assert.equal(mailsTo(email).length, 5);
  // The recipient gets emails again after an hour, until the daily limit is reached.
  clock.forward_s(3601);
  for (let at = 0; at < 5; at++) assert.equal(ok(await again()).body.emailed, true);
  clock.forward_s(3601);
  assert.equal(ok(await again()).body.emailed, false);
  assert.equal(mailsTo(email).length, 10);
});

test("a recipient who gets no more emails can still be invited by another business", async () => {
  const email = "shared@example.com";
  const acme = await api.tenant();
  const rival = await api.tenant();
  const body = { name: "S", email, role: "viewer" };
  const { id } = ok(await acme.post(PEOPLE, body)).body;
  for (let at = 0; at < 9; at++) ok(await acme.post(`${PEOPLE}/${id}/link`));
  const admin = await ownerOf(api, rival, "rival@example.com");
  const key = { "idempotency-key": "invite" };
  const invited = ok(await admin.post(PEOPLE, body, key)).body;
  assert.deepEqual(ok(await admin.post(PEOPLE, body, key)).body, invited);
  assert.equal(invited.emailed, false);
  assert.equal(mailsTo(email).length, 5);
  const look = await pageOf(rival).post("/auth/links/look", { token: tokenIn(invited.link) });
  assert.equal(ok(look).body.email, email);
  await follow(rival, tokenIn(invited.link));
  // Even if a stranger requests emails for an address, the tenant's administrator can still create a link for it.
  const linked = ok(await rival.post(`${PEOPLE}/${invited.id}/link`)).body;
  assert.equal(linked.emailed, false);
  await follow(rival, tokenIn(linked.link));
  // Other recipients still get emails.
  const other = await rival.post(PEOPLE, { ...body, email: "other@example.com" });
  assert.equal(ok(other).body.emailed, true);
});

test("a request for a link without signing in gets the same response after the limit", async () => {
  const email = "flooded@example.com";
  await ownerOf(api, await api.tenant(), email);
  const answers = [];
  for (let at = 0; at < 8; at++) answers.push(await forgot(email));
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, { sent: true }]);
  assert.deepEqual((await forgot("nobody@example.com")).body, { sent: true });
  // Emails are sent after the response. One more email, sent to someone else, arrives after all other emails.
  const last = "last@example.com";
  await ownerOf(api, await api.tenant(), last);
  await eventually(
    () => mailsTo(email),
    ({ length }) => length === 5,
  );
  await forgot(last);
  await eventually(
    () => mailsTo(last),
    ({ length }) => length === 1,
  );
  assert.equal(mailsTo(email).length, 5);
});

test("a user sends 100 emails an hour, and another user of the business still sends", async () => {
  const client = await api.tenant();
  const invite = (from: { post: typeof client.post }, at: number) =>
    from.post(PEOPLE, { name: "S", email: `many${at}@example.com`, role: "viewer" });
  const owner = await ownerOf(api, client, "sender@example.com");
  for (let at = 0; at < 100; at++) ok(await invite(owner, at));
  const people = ok(await client.get(PEOPLE)).body.length;
  const refused = await invite(owner, 100);
  assert.equal(refused.status, 429);
  assert.deepEqual(refused.body, { detail: "Too many emails; try again later" });
  // Nothing was written for the rejected invitation.
  assert.equal(ok(await client.get(PEOPLE)).body.length, people);
  assert.ok(Number(refused.headers.get("retry-after")) > 3500);
  const other = "admin@example.com";
  const [row] = await api.sql`
    insert into people (tenant_id, id, name, email, role, created_ts)
    select tenant_id, 'p-second', 'Second', ${other}, 'owner', created_ts from people
     where tenant_id = ${client.tenantId} limit 1 returning id`;
  await api.sql`
    update access_tokens set person_id = ${row?.["id"]} where tenant_id = ${client.tenantId}`;
  // The service caches a token's user for a second.
  clock.forward_s(1.001);
  ok(await invite(client, 101));
});
