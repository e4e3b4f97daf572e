/**
 * A database that becomes unavailable and later recovers: requests return 503 in the meantime, and the service recovers
 * without a restart.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { openWay } from "../../kit/database-way.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { untilReady } from "../../running/leadport.ts";
import { eventually, WITHIN_ms } from "../../kit/eventually.ts";
import { file } from "../../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();

const way = await openWay(file, api.databaseUrl);
const app = await startOwnApp(file, { url: way.url });

const send = (path: string, method = "GET", body?: object) =>
  fetch(app.url + path, {
    method,
    signal: AbortSignal.timeout(WITHIN_ms),
    headers: { authorization: `Bearer ${acme.bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** One request of each kind: a page, a time window, a lookup by id, writes and administration. */
const REQUESTS = [
  ["/crm/leads"],
  ["/crm/leads/created"],
  [`/crm/leads/${"0".repeat(24)}`],
  ["/crm/leads", "POST", { name: "Ada" }],
  [`/crm/leads/${"0".repeat(24)}`, "PATCH", { name: "Ada" }],
  ["/crm/admin/audit"],
] as const;

test("without its database the service stays alive, is not ready, and returns 503", async () => {
  assert.equal((await send("/crm/leads")).status, 200);
  await untilReady(app.url);
  await way.shut();
  for (const [path, method, body] of REQUESTS) {
    const answer = await send(path, method, body);
    assert.equal(answer.status, 503, `${method ?? "GET"} ${path}: ${await answer.text()}`);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }
  assert.equal((await send("/readyz")).status, 503);
  assert.equal((await send("/healthz")).status, 200);
  await way.reopen();
  const statuses = new Set<number>();
  await eventually(
    async () => {
      const { status } = await send("/crm/leads", "POST", { name: "Ada" });
      statuses.add(status);
      return status;
    },
    (status) => status === 200,
  );
  assert.deepEqual(
    [...statuses].filter((status) => status !== 503),
    [200],
  );
  await untilReady(app.url);
  assert.equal((await send("/crm/leads/created")).status, 200);
});

test("a write that returned 503 is not half stored", async () => {
  const rows = await api.sql`
    select l.id from leads l
     where not exists (select from changes c where c.tenant_id = l.tenant_id and c.subject_id = l.id)`;
  assert.equal(rows.length, 0);
});
