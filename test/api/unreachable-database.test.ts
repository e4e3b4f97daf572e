/** A database that goes away and comes back: 503 meanwhile, and service again by itself. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openWay } from "../kit/database-way.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "./own-app.ts";

const api = await fileApi();
const acme = await api.tenant();

const way = await openWay(api.databaseUrl);
const app = await startOwnApp({ url: way.url });
after(async () => {
  // The pool may wait for a connection that was broken under it.
  await Promise.race([app.stop(), delay(3000)]);
  await Promise.race([way.shut(), delay(1000)]);
});

const send = (path: string, method = "GET", body?: object) =>
  fetch(app.url + path, {
    method,
    signal: AbortSignal.timeout(10_000),
    headers: { authorization: `Bearer ${acme.bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Requests of every kind: a look-up by key, a page, a window, writes, administration. */
const REQUESTS = [
  ["/crm/leads"],
  ["/crm/leads/created"],
  [`/crm/leads/${"0".repeat(24)}`],
  ["/crm/leads", "POST", { name: "Ada" }],
  [`/crm/leads/${"0".repeat(24)}`, "PATCH", { name: "Ada" }],
  ["/crm/admin/audit"],
] as const;

test("without its database the service lives, is not ready, and answers 503", async () => {
  assert.equal((await send("/crm/leads")).status, 200);
  assert.equal((await send("/readyz")).status, 200);
  await way.shut();
  const began = Date.now();
  for (const [path, method, body] of REQUESTS) {
    const answer = await send(path, method, body);
    assert.equal(answer.status, 503, `${method ?? "GET"} ${path}: ${await answer.text()}`);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }
  assert.ok(Date.now() - began < 20_000, "a 503 took too long");
  assert.equal((await send("/readyz")).status, 503);
  assert.equal((await send("/healthz")).status, 200);
  await way.reopen();
  for (const until = Date.now() + 15_000; ; await delay(50)) {
    const answer = await send("/crm/leads", "POST", { name: "Ada" });
    await answer.text();
    if (answer.status === 200) break;
    assert.equal(answer.status, 503);
    assert.ok(Date.now() < until, "the service did not recover");
  }
  assert.equal((await send("/readyz")).status, 200);
  assert.equal((await send("/crm/leads/created")).status, 200);
});

test("a write that was answered 503 is not half there", async () => {
  const rows = await api.sql`
    select l.id from leads l
     where not exists (select from changes c where c.tenant_id = l.tenant_id and c.subject_id = l.id)`;
  assert.equal(rows.length, 0);
});
