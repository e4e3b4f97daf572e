/** Resending several deliveries: one result per delivery, all or none resent, and rejected requests. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RESEND_MAX } from "../../src/delivery/resend.ts";
import { ok, type Body } from "../api/samples.ts";
import { makeWebhook } from "../events/event-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { sampleOf } from "../reference/guide-samples.ts";
import { file, fileApi } from "../kit/file-api.ts";
import { startReceiver, status } from "./receiver.ts";
import { makeDelivery } from "./stored.ts";
import { atEnd } from "../kit/started.ts";

const DELIVERIES = "/crm/admin/deliveries";
const RESEND = `${DELIVERIES}/resend`;
const NOBODY = "0".repeat(24);
const api = await fileApi();

const statesOf = async (tenantId: string) => {
  const rows = await api.sql`
    select id, status, tries from deliveries where tenant_id = ${tenantId} order by id`;
  return new Map(rows.map((row) => [row["id"] as string, [row["status"], row["tries"]]]));
};

test("each delivery has its result, in the order of the ids", async () => {
  const client = await api.tenant();
  const rival = await api.tenant();
  const make = (more: Parameters<typeof makeDelivery>[2]) =>
    makeDelivery(api.sql, client.tenantId, more);
  const failed = await make({ status: "failed" });
  const gone = await make({ status: "gone" });
  const delivered = await make({ status: "delivered" });
  const pending = await make({ status: "pending" });
  const blocked = await make({ status: "failed", subject_id: "s" });
  const open = await make({ status: "pending", subject_id: "s" });
  const twin = await make({ status: "failed", subject_id: "t" });
  const second = await make({ status: "failed", subject_id: "t" });
  const foreign = await makeDelivery(api.sql, rival.tenantId);
  const ids = [delivered, foreign, failed, twin, second, "x", gone, NOBODY, blocked, pending];
  const { body } = ok(await client.post(RESEND, { ids: [...ids, failed] }));
  const missing = { ok: false, status: null, code: 404, detail: "Not found" };
  const still = {
    ok: false,
    status: null,
    code: 409,
    detail: "Another delivery of the same event or lead is still pending",
  };
  const sent = { ok: true, status: "pending" };
  const told = new Map((body as Body[]).map(({ id, ...result }) => [id, result]));
  assert.deepEqual([...told.keys()], ids);
  for (const id of [delivered, failed, twin, gone, pending]) assert.deepEqual(told.get(id), sent);
  for (const id of [foreign, "x", NOBODY]) {
    assert.deepEqual({ ...told.get(id), detail: missing.detail }, missing);
  }
  assert.deepEqual(told.get(second), { ...still, existing_id: twin });
  // The request as shown in docs/webhooks.md.
  const request = sampleOf("docs/webhooks.md", "crm $LEADPORT/crm/admin/deliveries/resend");
  assert.deepEqual(Object.keys(JSON.parse(/\{.*\}/.exec(request)?.[0] ?? "")), ["ids"]);
  const [shownSent, shownOpen] = JSON.parse(
    sampleOf("docs/webhooks.md", '[{"id":"6b018f14a2c1d000c1d3f7a1","ok"'),
  ) as readonly Body[];
  assert.deepEqual({ ...shownSent, id: null }, { ...sent, id: null });
  assert.deepEqual(
    { ...shownOpen, id: null, existing_id: null },
    { ...still, id: null, existing_id: null },
  );
  assert.deepEqual(told.get(blocked), { ...still, existing_id: open });
  const states = await statesOf(client.tenantId);
  assert.deepEqual(states.get(failed), ["pending", 0]);
  assert.deepEqual(states.get(second), ["failed", 1]);
  assert.deepEqual((await statesOf(rival.tenantId)).get(foreign), ["failed", 1]);
  const audit = ok(await client.get("/crm/admin/audit", { subject_type: "delivery" })).body;
  assert.equal(audit.length, 5);
  const jobs = await api.sql`
    select singleton_key as id from pgboss.job
     where data->>'tenant_id' = ${client.tenantId} and state = 'created'`;
  assert.deepEqual(
    jobs.map(({ id }) => id as string).toSorted(),
    [delivered, failed, twin, gone, pending].toSorted(),
  );
});

test("a request with no id, too many ids or other members returns 422", async () => {
  const client = await api.tenant();
  const many = Array.from({ length: RESEND_MAX + 1 }, (_, n) => String(n).padStart(24, "0"));
  const cases = [
    [{}, "missing"],
    [{ ids: [] }, "too_short"],
    [{ ids: many }, "too_long"],
    [{ ids: [5] }, "string_type"],
    [{ ids: [NOBODY], status: "failed" }, "extra_forbidden"],
  ] as const;
  for (const [body, type] of cases) {
    const answer = await client.post(RESEND, body);
    assert.deepEqual([answer.status, answer.body.detail[0].type], [422, type]);
  }
  // With other methods, the last segment of the path is still read as an id, which no delivery has.
  assert.equal((await client.get(RESEND)).status, 404);
});

test("if one cannot be written, none is resent", async (t) => {
  const client = await api.tenant();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await makeDelivery(api.sql, client.tenantId));
  await api.sql`
    create function refuse_one() returns trigger language plpgsql as
    $$ begin if new.id = tg_argv[0] then raise exception 'broken'; end if; return new; end $$`;
  await api.sql.unsafe(`create trigger refuse_one before update on deliveries for each row
    execute function refuse_one('${ids[1]}')`);
  atEnd(t, () => api.sql`drop function refuse_one cascade`);
  assert.equal((await client.post(RESEND, { ids })).status, 500);
  for (const [, state] of await statesOf(client.tenantId)) assert.deepEqual(state, ["failed", 1]);
  const jobs = await api.sql`
    select from pgboss.job where data->>'tenant_id' = ${client.tenantId}`;
  assert.equal(jobs.length, 0);
});

test("of requests for the same deliveries at the same time, each gets its results", async () => {
  const client = await api.tenant();
  const ids: string[] = [];
  for (let n = 0; n < 30; n += 1) ids.push(await makeDelivery(api.sql, client.tenantId));
  const orders = [ids, ids.toReversed(), ids.slice(10), ids.slice(5).toReversed()];
  const answers = await Promise.all(orders.map((some) => client.post(RESEND, { ids: some })));
  for (const [at, answer] of answers.entries()) {
    const results = ok(answer).body as Body[];
    assert.deepEqual(
      results.map(({ id }) => id),
      orders[at],
    );
    assert.ok(results.every(({ ok: isOk }) => isOk === true));
  }
  const jobs = await api.sql`
    select singleton_key from pgboss.job where data->>'tenant_id' = ${client.tenantId}`;
  assert.equal(jobs.length, ids.length);
});

test("everything that failed while the receiver was away arrives after resending all of it", async () => {
  const working = await fileApi({ works: true });
  const client = await working.tenant();
  const receiver = await startReceiver(file);
  receiver.respond = status(410);
  const webhook = { url: receiver.url, events: ["task.created"] };
  const { id } = await makeWebhook(client, webhook);
  // The first 410 pauses the webhook, so all deliveries are queued beforehand.
  const items = ["Call", "Write", "Visit"].map((name) => ({ name }));
  assert.ok((await client.post("/crm/tasks/batch", { items })).status < 300);
  const list = async (query: Body) =>
    ok(await client.get(DELIVERIES, { webhook_id: id, ...query })).body as Body[];
  const ended = await eventually(
    async () => [...(await list({ status: "gone" })), ...(await list({ status: "failed" }))],
    ({ length }) => length === 3,
  );
  receiver.respond = status(204);
  ok(await client.patch(`/crm/webhooks/${id}`, { enabled: true }));
  const ids = ended.map((delivery) => delivery["id"]);
  const { body } = ok(await client.post(RESEND, { ids }));
  assert.ok((body as Body[]).every(({ ok: isOk }) => isOk === true));
  await eventually(
    () => list({ status: "delivered" }),
    ({ length }) => length === 3,
  );
});
