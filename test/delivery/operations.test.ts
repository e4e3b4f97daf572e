/** What tenants can see and do with their deliveries over HTTP. */

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { startDeliveries } from "../../src/delivery/index.ts";
import { deleteOldDeliveries } from "../../src/delivery/upkeep.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { ok } from "../api/samples.ts";
import { fileApi } from "../kit/file-api.ts";
import { plainOutgoing } from "./plain-outgoing.ts";
import { startReceiver, status, type Receiver } from "./receiver.ts";
import { makeDelivery } from "./stored.ts";
import { eventually } from "../kit/eventually.ts";
import { openPools, atEnd, type Owner } from "../kit/started.ts";

const DELIVERIES = "/crm/admin/deliveries";
const api = await fileApi();
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

test("the list has only the tenant's deliveries, newest first, and filters by status, topic and dates", async () => {
  const client = await api.tenant();
  const rival = await api.tenant();
  const make = (more: Parameters<typeof makeDelivery>[2]) =>
    makeDelivery(api.sql, client.tenantId, more);
  const old = await make({ status: "delivered", at_s: 1_700_000_000 });
  const failed = await make({ status: "failed" });
  const pending = await make({ status: "pending", topic: "other.told" });
  const gone = await make({ status: "gone" });
  await makeDelivery(api.sql, rival.tenantId);
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{}, [gone, pending, failed, old]],
    [{ status: "pending" }, [pending]],
    [{ status: "gone" }, [gone]],
    [{ topic: "other.told" }, [pending]],
    [{ topic: "other.told", status: "gone" }, []],
    [{ end_date: "2023-11-14T22:13:20Z" }, [old]],
    [{ end_date: "2023-11-14T22:13:19Z" }, []],
    [{ start_date: "2023-11-14T22:13:21Z" }, [gone, pending, failed]],
    [{ start_date: "2023-11-14T22:13:20Z", end_date: "2023-11-14T22:13:20Z" }, [old]],
    [{ start_date: "1970-01-01", end_date: "9999-12-31" }, [gone, pending, failed, old]],
    [{ page_size: 2, page_num: 2 }, [failed, old]],
  ];
  for (const [query, wanted] of cases) {
    assert.deepEqual(idsOf(ok(await client.get(DELIVERIES, query as never)).body), wanted);
  }
  const crossed = { start_date: "2024-01-02", end_date: "2024-01-01" };
  for (const query of [{ status: "sent" }, { wrong: 1 }, crossed, { cursor: "x" }]) {
    assert.equal((await client.get(DELIVERIES, query)).status, 422, JSON.stringify(query));
  }
});

test("paging by cursor shows each delivery once, while others are created", async () => {
  const client = await api.tenant();
  const made: string[] = [];
  for (let at = 0; at < 7; at += 1) made.push(await makeDelivery(api.sql, client.tenantId));
  const seen: string[] = [];
  let path: string | undefined = `${DELIVERIES}?page_size=3&status=failed`;
  while (path !== undefined) {
    const page = ok(await client.get(path));
    seen.push(...idsOf(page.body));
    await makeDelivery(api.sql, client.tenantId);
    path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
  }
  assert.deepEqual(seen, made.toReversed());
});

test("a delivery is shown with its attempts; the list shows the last one", async () => {
  const client = await api.tenant();
  const at_s = 1_750_000_000;
  const id = await makeDelivery(api.sql, client.tenantId, { status: "failed", at_s });
  const attempt = { at: "2025-06-15T15:06:40.000Z", status: 500, duration_ms: 12, fault: null };
  const listed = {
    id,
    topic: "thing.told",
    subject_id: id,
    status: "failed",
    url: "https://example.com/in",
    attempt_count: 1,
    last_attempt: attempt,
    next_attempt_ts: null,
    next_attempt_date: null,
    delivered_ts: null,
    delivered_date: null,
    created_ts: at_s,
    created_date: "2025-06-15T15:06:40Z",
    updated_ts: at_s,
    updated_date: "2025-06-15T15:06:40Z",
    // The API does not know the topic of the test's deliveries, so these members are null.
    event: null,
    webhook: null,
    record: null,
  };
  assert.deepEqual(ok(await client.get(DELIVERIES)).body, [listed]);
  assert.deepEqual(ok(await client.get(`${DELIVERIES}/${id}`)).body, {
    ...listed,
    // Simulate an attempt from before the service stored requests.
    attempts: [
      { ...attempt, answer: "no", answer_headers: null, answer_bytes: null, request: null },
    ],
  });
  for (const missing of ["0".repeat(24), "x"]) {
    assert.equal((await client.get(`${DELIVERIES}/${missing}`)).status, 404);
  }
});

/** Returns a worker on the API's database whose topic sends to a receiver and counts accepted deliveries. */
function startWorker(t: Owner, receiver: Receiver) {
  const { sql } = openPools(t, { url: api.databaseUrl, connections: 5, listTimeout_ms: 5000 });
  const clock = systemClock();
  const taken: string[] = [];
  const request = { url: receiver.url, method: "POST", headers: {}, body: "{}", timeout_s: 20 };
  const loop = startDeliveries({
    sql,
    clock,
    makeId: idSource(clock),
    log: pino({ level: "silent" }),
    outgoing: plainOutgoing(),
    gaps_s: [0, 3600],
    topics: {
      "thing.told": {
        request: async () => request,
        onDelivered: async (_scope, { id }) => void taken.push(id),
      },
    },
  });
  atEnd(t, () => loop.stop());
  return { taken };
}

test("an ended delivery is resent under its id, a pending one at once; its effect happens once", async (t) => {
  const client = await api.tenant();
  const receiver = await startReceiver(t);
  const { taken } = startWorker(t, receiver);
  const settled = (id: string, count: number) =>
    eventually(
      async () => ok(await client.get(`${DELIVERIES}/${id}`)).body,
      ({ attempt_count }) => attempt_count === count,
    );
  const resend = (id: string) => client.post(`${DELIVERIES}/${id}/resend`);
  const id = await makeDelivery(api.sql, client.tenantId, { status: "failed" });
  receiver.respond = status(500);
  const answer = ok(await resend(id)).body;
  assert.deepEqual([answer.id, answer.status, "attempts" in answer], [id, "pending", false]);
  const failedOnce = await settled(id, 2);
  assert.equal(failedOnce.status, "pending");
  assert.ok(failedOnce.next_attempt_ts > failedOnce.updated_ts + 3000);
  receiver.respond = status(200);
  ok(await resend(id));
  assert.equal((await settled(id, 3)).status, "delivered");
  const { delivered_ts } = (await settled(id, 3)) as { delivered_ts: number };
  ok(await resend(id));
  const again = await settled(id, 4);
  assert.deepEqual([again.status, again.delivered_ts], ["delivered", delivered_ts]);
  assert.deepEqual(taken, [id]);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers["webhook-id"]),
    [id, id, id],
  );
  const audit = ok(await client.get("/crm/admin/audit", { subject_type: "delivery" })).body;
  assert.deepEqual(
    audit.map(({ subject_id, action, fields }: Record<string, unknown>) => ({
      subject_id,
      action,
      fields,
    })),
    ["delivered", "pending", "failed"].map((old) => ({
      subject_id: id,
      action: "resent",
      fields: { status: { old, new: "pending" } },
    })),
  );
});

test("a resent delivery stays in its lane", async () => {
  const client = await api.tenant();
  const url = "https://hooks.example.com/";
  const { id: webhook } = ok(await client.post("/crm/webhooks", { url, events: ["lead.*"] })).body;
  const about = { topic: "event", subject_id: `${webhook}.x.lead.created` };
  const laneOf = async (id: string) => {
    ok(await client.post(`${DELIVERIES}/${id}/resend`));
    const rows = await api.sql`
      select data->>'lane' as lane, group_id from pgboss.job where singleton_key = ${id}`;
    return rows.map(({ lane, group_id }) => [lane, group_id]);
  };
  const event = await makeDelivery(api.sql, client.tenantId, { ...about, status: "failed" });
  assert.deepEqual(await laneOf(event), [["events", `${client.tenantId} events`]]);
  const other = await makeDelivery(api.sql, client.tenantId, { status: "failed" });
  assert.deepEqual(await laneOf(other), [[null, client.tenantId]]);
});

test("nothing is resent next to an open delivery about the same subject", async () => {
  const client = await api.tenant();
  const about = { subject_id: "s" };
  const ended = await makeDelivery(api.sql, client.tenantId, { ...about, status: "failed" });
  const other = await makeDelivery(api.sql, client.tenantId, { ...about, status: "gone" });
  const open = await makeDelivery(api.sql, client.tenantId, { ...about, status: "pending" });
  const refused = await client.post(`${DELIVERIES}/${ended}/resend`);
  assert.deepEqual([refused.status, refused.body.existing_id], [409, open]);
  await api.sql`delete from deliveries where id = ${open}`;
  const both = await Promise.all(
    [ended, other].map((id) => client.post(`${DELIVERIES}/${id}/resend`)),
  );
  assert.deepEqual(
    both.map((answer) => answer.status).toSorted((a, b) => a - b),
    [200, 409],
  );
});

test("deliveries need admin permission", async () => {
  const client = await api.tenant();
  const id = await makeDelivery(api.sql, client.tenantId);
  const reviewer = await client.token(["exchange:review", "records:write"]);
  for (const [method, path] of [
    ["GET", DELIVERIES],
    ["GET", `${DELIVERIES}/${id}`],
    ["POST", `${DELIVERIES}/${id}/resend`],
  ] as const) {
    assert.equal((await reviewer.request({ method, path })).status, 403);
  }
});

test("ended deliveries are deleted after their days, with their attempts; open ones never", async () => {
  const client = await api.tenant();
  const now_s = Math.floor(Date.now() / 1000);
  const day_s = 86_400;
  const make = (name: "pending" | "delivered" | "failed" | "gone", age_s: number) =>
    makeDelivery(api.sql, client.tenantId, { status: name, at_s: now_s - age_s });
  const kept = [await make("pending", 90 * day_s), await make("failed", 7 * day_s - 60)];
  const old = [await make("delivered", 8 * day_s), await make("failed", 7 * day_s + 60)];
  old.push(await make("gone", 8 * day_s));
  while (await deleteOldDeliveries(api.sql, { clock: systemClock(), days: 7 }));
  const left = await api.sql`select id from deliveries where tenant_id = ${client.tenantId}`;
  assert.deepEqual(left.map((row) => row["id"] as string).toSorted(), kept.toSorted());
  const attempts = await api.sql`
    select delivery_id as id from delivery_attempts where tenant_id = ${client.tenantId}`;
  assert.deepEqual(attempts.map((row) => row["id"] as string).toSorted(), kept.toSorted());
  assert.ok(old.every((id) => !kept.includes(id)));
});
