/**
 * What the next release stores and returns may have members that this release does not know. This release ignores them:
 * docs/upgrading.md, What stays valid.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTenant } from "../../src/access/create-tenant.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { transaction } from "../../src/platform/database/index.ts";
import { createQueue } from "../../src/delivery/index.ts";
import { answerOf, isReplay, newKey, sendKeyed } from "../api/keys/keyed-samples.ts";
import { ok } from "../api/samples.ts";
import { sharedApi } from "../kit/file-api.ts";
import { atEnd, openPools } from "../kit/started.ts";
import { migratedDatabase } from "../kit/database.ts";

test("a cursor with a further member continues the list", async () => {
  const acme = await (await sharedApi()).tenant();
  for (const name of ["One", "Two"]) ok(await acme.post("/crm/leads", { name }));
  const { headers } = ok(await acme.get("/crm/leads", { page_size: 1 }));
  const [, issued = ""] = /cursor=([\w-]+)/.exec(headers.get("link") ?? "") ?? [];
  const parts = JSON.parse(Buffer.from(issued, "base64url").toString("utf8"));
  const cursor = Buffer.from(JSON.stringify([...parts, null, { later: 1 }])).toString("base64url");
  const pages = [issued, cursor].map(
    async (cursor) => ok(await acme.get("/crm/leads", { page_size: 1, cursor })).text,
  );
  const [expected, actual] = await Promise.all(pages);
  assert.equal(actual, expected);
});

test("a stored response with a further header is returned again", async () => {
  const { tenant, sql } = await sharedApi();
  const acme = await tenant();
  const key = newKey();
  const request = { path: "/crm/leads", body: { name: "Once" } };
  const sent = await sendKeyed(acme, "POST", key, request);
  await sql`
    update idempotency_keys set headers = (headers::jsonb || '{"x-later": "1"}')::json
     where tenant_id = ${acme.tenantId}`;
  const again = await sendKeyed(acme, "POST", key, request);
  assert.ok(isReplay(again));
  assert.deepEqual(answerOf(again), answerOf(sent));
});

test("a job of the queue with a further member is taken", async (t) => {
  const { url } = await migratedDatabase(t);
  const { sql } = openPools(t, { url, connections: 2, listTimeout_ms: 10_000 });
  const queue = createQueue({ sql, supervise: false, note: (error) => assert.fail(String(error)) });
  atEnd(t, queue.close);
  const clock = systemClock();
  const { tenant } = await createTenant(sql, { clock, makeId: idSource(clock) }, { name: "Acme" });
  const job = { tenantId: tenant.id, deliveryId: "d1", timeout_s: 10 };
  await transaction(sql, (tx) => queue.add(tx, [{ ...job, after_s: 0 }]));
  await sql`update pgboss.job set data = data || '{"later": 1}'`;
  const [taken] = await queue.take(1, 1);
  assert.deepEqual({ ...taken, id: "" }, { ...job, id: "", lane: undefined });
});
