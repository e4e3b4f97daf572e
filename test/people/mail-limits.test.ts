/** Limits on emails: to one recipient, and from one sender. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { createInbox, ownerOf, pageOf } from "./people-kit.ts";

const clock = { ahead_ms: 0, now_ms: () => Date.now() + clock.ahead_ms };
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

test("of 50 invitations in a row to one stranger five go out", async () => {
  const email = "stranger@example.com";
  const owner = await ownerOf(api, someone, "owner@example.com");
  const made = ok(await owner.post(PEOPLE, { name: "S", email, role: "viewer" })).body;
  const statuses = [];
  for (let at = 0; at < 49; at++) {
    const answer = await owner.post(`${PEOPLE}/${made.id}/link`);
    statuses.push(answer.status);
    if (answer.status !== 429) continue;
    assert.deepEqual(answer.body, { detail: "Too many emails; try again later" });
    assert.ok(Number(answer.headers.get("retry-after")) > 3500);
  }
  assert.deepEqual(
    Object.entries(Object.groupBy(statuses, String)).map(([s, all]) => [s, all?.length]),
    [
      ["200", 4],
      ["429", 45],
    ],
  );
  assert.equal(mailsTo(email).length, 5);
  // Nothing was written for those that were refused.
  const links = await api.sql`
    select from sign_in_links where person_id = ${made.id}`;
  assert.equal(links.length, 5);
  // Another business reaches the same limit.
  const rival = await api.tenant();
  const body = { name: "S", email, role: "viewer" };
  assert.equal((await rival.post(PEOPLE, body)).status, 429);
  const { length } = ok(await rival.get(PEOPLE)).body;
  assert.equal(length, 1);
  // Other recipients are mailed meanwhile, and this one again after an hour, but not all day long.
  ok(await rival.post(PEOPLE, { ...body, email: "other@example.com" }));
  clock.ahead_ms += 3601_000;
  for (let at = 0; at < 5; at++) ok(await owner.post(`${PEOPLE}/${made.id}/link`));
  clock.ahead_ms += 3601_000;
  const refused = await owner.post(`${PEOPLE}/${made.id}/link`);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 20 * 3600);
});

test("who asks for a link without signing in hears the same when the recipient gets no more", async () => {
  const email = "flooded@example.com";
  await ownerOf(api, await api.tenant(), email);
  const answers = [];
  for (let at = 0; at < 8; at++) answers.push(await forgot(email));
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, { sent: true }]);
  assert.deepEqual((await forgot("nobody@example.com")).body, { sent: true });
  // Emails are sent after the response: one more, to someone else, comes after all of them.
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
  const refused = await invite(owner, 100);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 3500);
  const other = "admin@example.com";
  const [row] = await api.sql`
    insert into people (tenant_id, id, name, email, role, created_ts)
    select tenant_id, 'p-second', 'Second', ${other}, 'owner', created_ts from people
     where tenant_id = ${client.tenantId} limit 1 returning id`;
  await api.sql`
    update access_tokens set person_id = ${row?.["id"]} where tenant_id = ${client.tenantId}`;
  await eventually(
    () => invite(client, 101),
    ({ status }) => status === 200,
  );
});
