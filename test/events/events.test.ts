/**
 * The events that webhooks receive: the types, the contents, the receivers, and that each event arrives exactly once.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { eventNames } from "../../src/events/event-types.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { file, fileApi } from "../kit/file-api.ts";
import { fullBody, makeReferable, ok, type Body } from "../api/samples.ts";
import { startReceiver, status } from "../delivery/receiver.ts";
import { decide, partnerOf } from "../exchange/exchange-kit.ts";
import { movableClock } from "../kit/clock.ts";
import type { Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import {
  makeWebhook,
  PARTNER_WEBHOOKS,
  recordsOf,
  toldAt,
  typesOf,
  WEBHOOKS,
} from "./event-kit.ts";

const clock = movableClock();
const api = await fileApi({ works: true, clock });
const receiver = await startReceiver(file);

let paths = 0;
/** Returns a path on the receiver that no other webhook uses. */
const newPath = (): string => `/${++paths}`;

/** Returns a tenant with a webhook at its own path. */
async function subscribed(events: readonly string[], more: Body = {}) {
  const client = await api.tenant();
  const path = newPath();
  const webhook = await makeWebhook(client, { url: receiver.url + path, events, ...more });
  return { client, path, webhook, told: () => toldAt(receiver.received, path) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any part of it
const atLeast = (told: () => any[], count: number) =>
  eventually(told, (all) => all.length >= count);

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a ${type.name} is created, updated and moved: each is one event`, async () => {
    const { client, told } = await subscribed([`${type.name}.*`]);
    const refs = await makeReferable(client);
    // Changes are timestamped by the database's clock.
    const started_ms = Date.now();
    const { _id } = ok(await client.post(type.writePath, fullBody(type, 3, refs))).body;
    const field = type.fields[type.statusField];
    assert.ok(field?.kind === "choice");
    const [to] = field.of.filter((value) => value !== fullBody(type, 3, refs)[type.statusField]);
    const moved = await client.patch(`${type.writePath}/${_id}`, { [type.statusField]: to });
    const record = ok(moved).body;
    const others = type.name in refs ? 1 : 0;
    const all = (await atLeast(told, 3 + others)).filter(({ data }) => data.record_id === _id);
    const changed = `${type.name}.${type.statusField}_changed`;
    assert.deepEqual(
      typesOf(all),
      [`${type.name}.created`, changed, `${type.name}.updated`].toSorted(),
    );
    for (const { type: name, timestamp, data } of all) {
      assert.equal(data.event_id.split(".").slice(1).join("."), name);
      const at_ms = Date.parse(timestamp);
      assert.ok(at_ms >= started_ms - 1000 && at_ms <= Date.now() + 1000, timestamp);
      assert.equal(data.actor.kind, "token");
      if (data.version === 2) assert.deepEqual(data.record, record);
    }
    const move = all.find((one) => one.type === changed);
    assert.equal(move.data.changed_fields[type.statusField].new, to);
    assert.equal(move.data.version, 2);
  });
}

test("a conversion and a deletion are events; a deleted record has no content", async () => {
  const { client, told } = await subscribed(["lead.converted", "task.deleted", "contact.created"]);
  const lead = ok(await client.post("/crm/leads", { name: "A", ssn: "123-45-6789" })).body;
  ok(await client.post(`/crm/leads/${lead._id}/convert`, {}));
  const task = ok(await client.post("/crm/tasks", { name: "T" })).body;
  ok(await client.delete(`/crm/tasks/${task._id}`));
  const all = await atLeast(told, 3);
  assert.deepEqual(typesOf(all), ["contact.created", "lead.converted", "task.deleted"]);
  const [created, converted, deleted] = all.toSorted((a, b) => (a.type < b.type ? -1 : 1));
  assert.equal(converted.data.record.converted_to_contact, true);
  assert.deepEqual([deleted.data.record, deleted.data.action], [null, "deleted"]);
  assert.equal(created.data.record.ssn, "***-**-6789");
  assert.ok(!receiver.received.some(({ body }) => body.includes("123-45-6789")));
});

test("an undone merge is a restoration, not a creation", async () => {
  const { client, told } = await subscribed(["lead.created", "lead.restored"]);
  const make = async () => ok(await client.post("/crm/leads", { name: "A" })).body._id;
  const into = await make();
  const old = await make();
  const merged = ok(await client.post(`/crm/leads/${into}/merge`, { ids: [old] }));
  const merge = merged.headers.get("x-merge-id");
  ok(await client.post(`/crm/leads/${into}/merges/${merge}/undo`));
  const all = await atLeast(told, 3);
  const [restored, ...others] = all.filter(({ type }) => type === "lead.restored");
  assert.deepEqual(others, []);
  const { record_id, action, reason, version } = restored.data;
  assert.deepEqual([record_id, action, reason, version], [old, "created", "restored", 3]);
});

/** Responds as if the receiver was down. Without `Retry-After`, the next attempt would follow after only 5 s. */
const DOWN = status(503, { "retry-after": "3600" });

/** Creates tenants that review pushed leads, and the partners that push these leads. */
async function exchangeWorld() {
  const { client, told } = await subscribed(["pushed_lead.*"]);
  const own = await partnerOf(client);
  const other = await partnerOf(client);
  const paths = { own: newPath(), other: newPath() };
  const events = ["pushed_lead.*"];
  const url = receiver.url + paths.own;
  const webhook = await makeWebhook(own, { url, events }, PARTNER_WEBHOOKS);
  await makeWebhook(other, { url: receiver.url + paths.other, events }, PARTNER_WEBHOOKS);
  return {
    client,
    own,
    other,
    webhook,
    toldTenant: told,
    toldOwn: () => toldAt(receiver.received, paths.own),
    toldOther: () => toldAt(receiver.received, paths.other),
  };
}

test("every step of a pushed lead is an event, for the tenant and for the partner that pushed it", async () => {
  const { client, own, other, toldTenant, toldOwn, toldOther } = await exchangeWorld();
  const imported = await own.push();
  const rejected = await own.push();
  const expiring = await own.push({ expiration_date: Math.ceil(clock.now_ms() / 1000) + 60 });
  ok(await decide(client, imported.id, "accept"));
  ok(await decide(client, imported.id, "import"));
  ok(await decide(client, rejected.id, "reject"));
  clock.forward_s(61);
  const steps = {
    [imported.id]: ["received", "accepted", "imported"],
    [rejected.id]: ["received", "rejected"],
    [expiring.id]: ["received", "expired"],
  };
  for (const told of [toldTenant, toldOwn]) {
    const all = await atLeast(told, 7);
    for (const [id, words] of Object.entries(steps)) {
      const names = typesOf(all.filter(({ data }) => data.record_id === id));
      assert.deepEqual(names, words.map((word) => `pushed_lead.${word}`).toSorted());
    }
  }
  assert.deepEqual(toldOther(), []);
  const theirs = await other.push();
  const [only] = await atLeast(toldOther, 1);
  assert.deepEqual(
    only?.data.pushed_lead,
    ok(await other.get(`/crm/partner/pushed/${theirs.id}`)).body,
  );
  const told = toldOwn().find(({ type }) => type === "pushed_lead.imported");
  const seen = ok(await own.get(`/crm/partner/pushed/${imported.id}`)).body;
  assert.deepEqual(told.data.pushed_lead, seen);
  assert.deepEqual(Object.keys(told.data).toSorted(), [
    "action",
    "event_id",
    "pushed_lead",
    "record_id",
  ]);
  const all = ok(await client.get("/crm/admin/pushed_leads")).body as Body[];
  const reviewed = all.find(({ id }) => id === imported.id);
  const toTenant = toldTenant().find(({ type }) => type === "pushed_lead.imported");
  assert.deepEqual(toTenant.data.record, reviewed);
});

test("a suspended partner receives nothing, not even pending deliveries", async () => {
  const { client, own, toldOwn } = await exchangeWorld();
  receiver.respond = DOWN;
  const { id } = await own.push();
  await atLeast(toldOwn, 1);
  const suspended = { status: "suspended" };
  ok(await client.patch(`/crm/admin/partners/${own.partner_id}`, suspended));
  receiver.respond = status(204);
  ok(await decide(client, id, "accept"));
  const ended = await sendPending(client, 3);
  const faults = ended.map((one) => String((one["last_attempt"] as Body)["fault"]));
  assert.deepEqual(faults.toSorted(), ["null", "null", "skipped"]);
  assert.equal(toldOwn().length, 1);
});

test("a filter applies to the record as it is; a deletion is always sent", async () => {
  const filter = { lead_source: "Google", tags: { $in: ["vip"] } };
  const { client, told } = await subscribed(["lead.*"], { filter });
  const made = async (fields: Body): Promise<string> =>
    ok(await client.post("/crm/leads", { name: "A", ...fields })).body._id;
  await made({ source: "Google" });
  await made({ source: "Referral", tags: ["vip"] });
  const later = await made({ source: "Google", tags: [] });
  const match = await made({ source: "Google", tags: ["vip"] });
  await eventually(told, (all) => all.length === 1);
  ok(await client.patch(`/crm/leads/${later}`, { tags: ["vip", "new"] }));
  const all = await atLeast(told, 2);
  assert.deepEqual(
    all.map(({ type, data }) => [type, data.record_id]),
    [
      ["lead.created", match],
      ["lead.updated", later],
    ],
  );
  const tasks = await subscribed(["task.*"], { filter: { priority: 1 } });
  const task = ok(await tasks.client.post("/crm/tasks", { name: "T", priority: 3 })).body;
  ok(await tasks.client.delete(`/crm/tasks/${task._id}`));
  assert.deepEqual(typesOf(await atLeast(tasks.told, 1)), ["task.deleted"]);
});

test("an event is signed with the two newest secrets, and its id is that of its delivery", async () => {
  const { client, path, webhook } = await subscribed(["lead.created"]);
  const secret = async (): Promise<string> =>
    ok(await client.post(`${WEBHOOKS}/${webhook.id}/secret`)).body.secret;
  const second = await secret();
  const third = await secret();
  ok(await client.post("/crm/leads", { name: "A" }));
  const one = await eventually(
    () => receiver.received.find((received) => received.path === path),
    (found) => found !== undefined,
  );
  const verify = (key: string) =>
    new Webhook(key).verify(one?.body ?? "", one?.headers as Record<string, string>);
  for (const key of [second, third]) verify(key);
  assert.throws(() => verify(webhook.secret));
  const deliveries = await eventually(
    async () => ok(await client.get(`${WEBHOOKS}/${webhook.id}/deliveries`)).body,
    ([first]) => first?.status === "delivered",
  );
  assert.deepEqual(
    deliveries.map(({ id, topic }: Body) => [id, topic]),
    [[one?.headers["webhook-id"], "event"]],
  );
});

/** Resends failed deliveries immediately, and returns all deliveries once none is pending. */
async function sendPending(client: Client, count: number): Promise<readonly Body[]> {
  const sent = new Set<unknown>();
  return eventually(
    async () => {
      const all = ok(await client.get("/crm/admin/deliveries")).body as Body[];
      const inVain = all.filter((one) => one["status"] === "pending" && one["attempt_count"] === 1);
      for (const { id } of inVain.filter((one) => !sent.has(one["id"]))) {
        sent.add(id);
        ok(await client.post(`/crm/admin/deliveries/${String(id)}/resend`));
      }
      return all;
    },
    (all) => all.length === count && all.every((one) => one["status"] !== "pending"),
  );
}

test("a receiver that was down receives everything later, once each", async () => {
  const { client, told } = await subscribed(["lead.created"]);
  receiver.respond = DOWN;
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    ids.push(ok(await client.post("/crm/leads", { name: `Lead ${n}` })).body._id);
  }
  const inVain = await atLeast(told, 12);
  receiver.respond = status(204);
  const ended = await sendPending(client, 12);
  assert.deepEqual(new Set(ended.map((one) => one["status"])), new Set(["delivered"]));
  const later = told().slice(inVain.length);
  assert.deepEqual(recordsOf(later), ids.toSorted());
});

test("a receiver that returns 410 disables the webhook, and the audit log shows it", async () => {
  const { client, path, webhook } = await subscribed(["lead.created"]);
  receiver.respond = (response, received) =>
    status(received.path === path ? 410 : 204)(response, received);
  clock.forward_s(1);
  ok(await client.post("/crm/leads", { name: "A" }));
  const one = `${WEBHOOKS}/${webhook.id}`;
  const off = await eventually(
    async () => ok(await client.get(one)).body,
    ({ enabled }) => enabled === false,
  );
  assert.equal(off.disabled_reason, "gone");
  const [entry] = ok(await client.get("/crm/admin/audit", { subject_id: webhook.id })).body;
  assert.deepEqual([entry.action, entry.actor.kind], ["disabled", "service"]);
  receiver.respond = status(204);
  const on = ok(await client.patch(one, { enabled: true })).body;
  assert.deepEqual([on.enabled, on.disabled_reason], [true, null]);
});

test("a 410 response from an old URL, or from before the webhook was enabled again, does not disable it", async () => {
  const { client, path, webhook } = await subscribed(["lead.created"]);
  const one = `${WEBHOOKS}/${webhook.id}`;
  // Each request is held only briefly, because it has a time limit.
  let held = Promise.withResolvers<void>();
  receiver.respond = async (response, received) => {
    if (received.path === path) await held.promise;
    await status(received.path === path ? 410 : 204)(response, received);
  };
  const hasArrived = (count: number) =>
    eventually(
      () => receiver.received.filter((received) => received.path === path).length === count,
    );
  const staysEnabled = async (id: string) => {
    held.resolve();
    await eventually(
      async () => ok(await client.get(`${WEBHOOKS}/${id}/deliveries`)).body as Body[],
      (deliveries) => deliveries.some((delivery) => delivery["status"] === "gone"),
    );
    const { enabled, disabled_reason } = ok(await client.get(`${WEBHOOKS}/${id}`)).body;
    assert.deepEqual([enabled, disabled_reason], [true, null]);
  };
  ok(await client.post("/crm/leads", { name: "A" }));
  await hasArrived(1);
  ok(await client.patch(one, { url: `${receiver.url}${path}/new` }));
  await staysEnabled(webhook.id);
  held = Promise.withResolvers<void>();
  const reopened = await makeWebhook(client, {
    url: receiver.url + path,
    events: ["lead.created"],
  });
  ok(await client.post("/crm/leads", { name: "B" }));
  await hasArrived(2);
  ok(await client.patch(`${WEBHOOKS}/${reopened.id}`, { enabled: false }));
  clock.forward_s(2);
  ok(await client.patch(`${WEBHOOKS}/${reopened.id}`, { enabled: true }));
  await staysEnabled(reopened.id);
  receiver.respond = status(204);
});

test("a disabled webhook collects nothing; when it is enabled it starts with new changes, and a replay fills the gap", async () => {
  const { client, webhook, told } = await subscribed(["lead.*"]);
  const one = `${WEBHOOKS}/${webhook.id}`;
  const make = async (name: string) => ok(await client.post("/crm/leads", { name })).body._id;
  // Changes are timestamped by the database's clock.
  const start_date = Math.floor(Date.now() / 1000);
  const first = await make("First");
  await atLeast(told, 1);
  ok(await client.patch(one, { enabled: false }));
  assert.equal(
    (await client.post(`${one}/replay`, { start_date, end_date: start_date })).status,
    409,
  );
  const missed = await make("Missed");
  ok(await client.patch(one, { enabled: true }));
  const last = await make("Last");
  await atLeast(told, 2);
  assert.deepEqual(
    told().map(({ data }) => data.record_id),
    [first, last],
  );
  const asked = { start_date, end_date: start_date + 3600 };
  const replay = ok(await client.post(`${one}/replay`, asked)).body;
  assert.deepEqual([replay.changes, replay.finished_date], [3, null]);
  await atLeast(told, 5);
  const done = await eventually(
    async () => ok(await client.get(one)).body.replay,
    ({ finished_date }) => finished_date !== null,
  );
  assert.deepEqual([done.changes, done.events], [3, 3]);
  const again = told().slice(2);
  assert.deepEqual(recordsOf(again), [first, missed, last].map(String).toSorted());
  const idsOf = (all: ReturnType<typeof told>) =>
    all.filter(({ data }) => data.record_id === first).map(({ data }) => data.event_id);
  assert.equal(new Set(idsOf(told())).size, 1);
  assert.equal(idsOf(told()).length, 2);
});

test("events that are added later are sent from then on", async () => {
  const { client, webhook, told } = await subscribed(["lead.created"]);
  ok(await client.post("/crm/tasks", { name: "Before" }));
  const one = `${WEBHOOKS}/${webhook.id}`;
  ok(await client.patch(one, { events: ["lead.created", "task.created"] }));
  const { _id } = ok(await client.post("/crm/tasks", { name: "After" })).body;
  const lead = ok(await client.post("/crm/leads", { name: "A" })).body;
  assert.deepEqual(recordsOf(await atLeast(told, 2)), [_id, lead._id].map(String).toSorted());
});

test("changes outside a tenant are sent to no other tenant, and a reveal is no change", async () => {
  const a = await subscribed(["*"]);
  const b = await subscribed(["*"]);
  const { _id } = ok(await a.client.post("/crm/leads", { name: "A", ssn: "123-45-6789" })).body;
  ok(await a.client.get(`/crm/leads/${_id}`, { reveal: "ssn" }));
  ok(await a.client.patch(`/crm/leads/${_id}`, { name: "B", ssn: "123-45-0000" }));
  const all = await atLeast(a.told, 2);
  assert.deepEqual(typesOf(all), ["lead.created", "lead.updated"]);
  const { ssn } = all.find(({ type }) => type === "lead.updated").data.changed_fields;
  assert.deepEqual(ssn, { old: "***-**-6789", new: "***-**-0000" });
  ok(await b.client.post("/crm/tasks", { name: "T" }));
  assert.deepEqual(typesOf(await atLeast(b.told, 1)), ["task.created"]);
});

test("each event arrives before the next change is made", async () => {
  const { client, told } = await subscribed(["lead.created"]);
  for (const count of [1, 2, 3]) {
    ok(await client.post("/crm/leads", { name: "A" }));
    await atLeast(told, count);
  }
});

test("a webhook can subscribe to every event of the catalog", async () => {
  const client: Client = await api.tenant();
  const made = await makeWebhook(client, { url: receiver.url, events: eventNames, enabled: false });
  assert.deepEqual(made.events, eventNames);
});

test("a delivery that lost its job is sent again, in the lane of its webhook", async () => {
  const { client, path, webhook, told } = await subscribed(["lead.created"]);
  ok(await client.post("/crm/leads", { name: "A" }));
  const delivered = async (attempts: number) =>
    eventually(
      async () => ok(await client.get(`${WEBHOOKS}/${webhook.id}/deliveries`)).body as Body[],
      ([one]) => one?.["status"] === "delivered" && one["attempt_count"] === attempts,
    );
  await delivered(1);
  const lanes: unknown[] = [];
  receiver.respond = async (response, received) => {
    const jobs = await api.sql`
      select data->>'lane' as lane from pgboss.job where data->>'tenant_id' = ${client.tenantId}`;
    if (received.path === path) lanes.push(...jobs.map((job) => job["lane"]));
    await status(204)(response, received);
  };
  await api.sql`
    update deliveries set status = 'pending', next_at = now() where tenant_id = ${client.tenantId}`;
  // The worker looks for deliveries without a job every minute.
  clock.forward_s(300);
  await delivered(2);
  assert.deepEqual([lanes, told().length], [["events"], 2]);
});
