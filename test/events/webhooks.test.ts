/** Configuration of event webhooks: what is accepted and rejected, who can see them, and what is never shown. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { eventNames, eventsOf } from "../../src/events/event-types.ts";
import type { FeedEntry } from "../../src/events/feed.ts";
import { OPEN_MAX } from "../../src/events/dispatch.ts";
import { REPLAY_CHANGES_MAX, REPLAY_DAYS_MAX } from "../../src/events/replay.ts";
import { DISABLED_REASONS } from "../../src/events/webhook-row.ts";
import { WEBHOOKS_MAX } from "../../src/events/webhooks.ts";
import { file, fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "../api/own-app.ts";
import { ok, type Body } from "../api/samples.ts";
import { startReceiver, status } from "../delivery/receiver.ts";
import { faultsOf, NOBODY, partnerOf, refused } from "../exchange/exchange-kit.ts";
import { sentencesOf } from "../exchange/callouts/callout-kit.ts";
import { Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { openSession } from "../kit/started.ts";
import { makeWebhook, PARTNER_WEBHOOKS, WEBHOOKS } from "./event-kit.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [randomBytes(32)] };
const api = await fileApi({ keys });
const receiver = await startReceiver(file);
const client = await api.tenant();
const LEAST = { url: "https://hooks.example.com/in", events: ["lead.created"] };

/** Asserts that a webhook with these fields is rejected with these errors. */
async function checkRefused(body: Body, faults: readonly string[]): Promise<void> {
  assert.deepEqual(faultsOf(await client.post(WEBHOOKS, { ...LEAST, ...body })), faults);
}

test("invalid settings are rejected, all at once, each with its place", async () => {
  const none = await client.post(WEBHOOKS, { filter: [] });
  assert.deepEqual(faultsOf(none), [
    "body.events missing",
    "body.url missing",
    "body.filter dict_type",
  ]);
  await checkRefused({ events: [], surprise: 1 }, [
    "body.events too_short",
    "body.surprise extra_forbidden",
  ]);
  await checkRefused({ events: ["lead.created", "lead.born"] }, ["body.events.1 enum"]);
  await checkRefused({ url: "http://hooks.example.com/" }, ["body.url value_error"]);
  await checkRefused({ url: "https://10.0.0.1/" }, ["body.url value_error"]);
  await checkRefused({ description: "x".repeat(501) }, ["body.description string_too_long"]);
});

test("an unknown event is rejected with the list of all events", async () => {
  const answer = await client.post(WEBHOOKS, { ...LEAST, events: ["lead.born"] });
  for (const name of [...eventNames, "lead.*", "*"])
    assert.ok(answer.text.includes(`'${name}'`), name);
});

test("a filter applies to the fields of the one record type that all events are about", async () => {
  const refusedFilter = async (body: Body) =>
    sentencesOf(await client.post(WEBHOOKS, { ...LEAST, ...body }));
  const oneType =
    "filter: a filter requires events of a single record type, such as lead.* or deal.created";
  const filter = { lead_source: "Google" };
  assert.deepEqual(await refusedFilter({ events: ["lead.created", "deal.created"], filter }), [
    oneType,
  ]);
  assert.deepEqual(await refusedFilter({ events: ["*"], filter }), [oneType]);
  assert.deepEqual(await refusedFilter({ events: ["pushed_lead.*"], filter }), [oneType]);
  const [unknown] = await refusedFilter({ filter: { stage: "draft" } });
  assert.match(
    unknown ?? "",
    /^filter: stage: this list cannot be filtered by this field; available fields are: lead_status/,
  );
  assert.doesNotMatch(unknown ?? "", /eval_object_id/);
  const [operator] = await refusedFilter({ filter: { $where: "1" } });
  assert.match(operator ?? "", /unknown operator/);
  const made = await makeWebhook(client, { ...LEAST, filter });
  assert.deepEqual(made.filter, filter);
  const one = `${WEBHOOKS}/${made.id}`;
  assert.deepEqual(sentencesOf(await client.patch(one, { events: ["*"] })), [oneType]);
  assert.equal(ok(await client.patch(one, { events: ["*"], filter: null })).body.filter, null);
});

test("a webhook is created, shown, listed, changed and deleted; each leaves an audit entry", async () => {
  const tenant = await api.tenant();
  const { secret, ...made } = await makeWebhook(tenant, { ...LEAST, description: "Sync" });
  assert.match(secret, /^whsec_/);
  const one = `${WEBHOOKS}/${made.id}`;
  assert.deepEqual(ok(await tenant.get(one)).body, { ...made, replay: null });
  assert.deepEqual(ok(await tenant.get(WEBHOOKS)).body, [made]);
  const events = ["deal.*", "lead.updated"];
  const changed = ok(await tenant.patch(one, { events, enabled: null, description: null })).body;
  assert.deepEqual([changed.events, changed.enabled, changed.description], [events, true, null]);
  const twice = [...events, ...events];
  assert.deepEqual(ok(await tenant.patch(one, { events: twice })).body, changed);
  assert.deepEqual(ok(await tenant.patch(one, ok(await tenant.get(one)).body)).body, changed);
  assert.equal((await tenant.patch(one, { enabled: null })).status, 400);
  const issued = ok(await tenant.post(`${one}/secret`)).body;
  assert.equal(issued.active, 2);
  assert.deepEqual(ok(await tenant.delete(one)).body, { deleted: true, ids: [made.id] });
  for (const answer of [
    await tenant.get(one),
    await tenant.patch(one, { events }),
    await tenant.delete(one),
  ]) {
    refused(answer, 404);
  }
  const entries = ok(await tenant.get("/crm/admin/audit", { subject_id: made.id })).body as Body[];
  assert.deepEqual(
    entries.map(({ action }) => action),
    ["deleted", "secret_issued", "updated", "created"],
  );
  const told = JSON.stringify([entries, ok(await tenant.get(WEBHOOKS)).text, changed, made]);
  for (const hidden of [secret, issued.secret]) assert.ok(!told.includes(hidden));
  const rows = await api.sql`select to_jsonb(w) as row from event_webhooks w`;
  assert.ok(!JSON.stringify(rows).includes("whsec_"));
});

/** Returns the settings that determine whether a webhook starts. */
const startsOf = (all: readonly Body[]) =>
  all.map(({ id, enabled, events }) => [id, enabled, events]);

test("a webhook that is created or enabled, or gets more events, starts after all earlier changes, even while a transaction is open", async (t) => {
  const tenant = await api.tenant();
  const lead = async () => ok(await tenant.post("/crm/leads", { name: "Earlier" }));
  const positionOf = async (id: string): Promise<number> => {
    const [row] = await api.sql`select position from event_webhooks where id = ${id}`;
    return Number(row?.["position"]);
  };
  const off = await makeWebhook(tenant, { ...LEAST, enabled: false });
  const on = await makeWebhook(tenant, { ...LEAST, events: ["deal.created"] });
  const wide = await makeWebhook(tenant, { ...LEAST, events: ["deal.created", "deal.updated"] });
  await lead();
  const [row] = await api.sql`select last_value from change_positions`;
  const earlier = Number(row?.["last_value"]);
  // Nothing has checked for settled changes since then, as in a process that has just started.
  const app = await startOwnApp(t, { url: api.databaseUrl, keys });
  const fresh = new Client(app.url, tenant.bearer, tenant.tenantId, tenant.personId, () =>
    Promise.reject(new Error("not here")),
  );
  const session = openSession(t, api.databaseUrl);
  const open = async () => {
    await session`begin`;
    await session`select change_position()`;
  };
  const requests = () =>
    [
      fresh.post(WEBHOOKS, LEAST),
      fresh.patch(`${WEBHOOKS}/${off.id}`, { enabled: true }),
      fresh.patch(`${WEBHOOKS}/${on.id}`, { events: ["deal.created", "lead.*"] }),
    ] as const;

  await open();
  const before = ok(await tenant.get(WEBHOOKS)).body;
  const refusedAll = requests();
  ok(await fresh.patch(`${WEBHOOKS}/${on.id}`, { description: "Can still be changed" }));
  for (const answer of await Promise.all(refusedAll)) {
    refused(answer, 503);
    assert.equal(answer.headers.get("retry-after"), "5");
  }
  assert.deepEqual(startsOf(ok(await tenant.get(WEBHOOKS)).body), startsOf(before));
  ok(await fresh.patch(`${WEBHOOKS}/${wide.id}`, { events: ["deal.created"] }));
  await session`commit`;

  await open();
  const answers = requests();
  await Promise.race([...answers, sleep(200)]);
  await session`commit`;
  for (const answer of await Promise.all(answers)) {
    assert.ok((await positionOf(ok(answer).body.id)) >= earlier);
  }
});

test("an added event starts with the first change that has not been processed yet", async () => {
  const tenant = await api.tenant();
  const { id } = await makeWebhook(tenant, { ...LEAST, events: ["account.created"] });
  ok(await tenant.post("/crm/leads", { name: "Earlier" }));
  ok(await tenant.post("/crm/accounts", { name: "Pending" }));
  ok(await tenant.patch(`${WEBHOOKS}/${id}`, { events: ["account.created", "lead.created"] }));
  const [row] = await api.sql`
    select w.position, c.seq from event_webhooks w join changes c using (tenant_id)
     where w.id = ${id} and c.subject_type = 'account'`;
  assert.equal(Number(row?.["position"]), Number(row?.["seq"]) - 1);
});

test("a list of webhooks pages, newest first", async () => {
  const tenant = await api.tenant();
  const ids = [];
  for (let n = 0; n < 3; n++) ids.unshift((await makeWebhook(tenant, LEAST)).id);
  const first = ok(await tenant.get(WEBHOOKS, { page_size: 2 }));
  const next = /^<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const rest = ok(await tenant.get(next)).body;
  assert.deepEqual(
    [...first.body, ...rest].map(({ id }: Body) => id),
    ids,
  );
});

test("a tenant has at most 50 webhooks and a partner ten, also with concurrent requests", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const sides = [
    [() => tenant.post(WEBHOOKS, LEAST), 50],
    [() => partner.post(PARTNER_WEBHOOKS, { ...LEAST, events: ["pushed_lead.*"] }), 10],
  ] as const;
  for (const [make, most] of sides) {
    for (let n = 0; n < most - 1; n++) ok(await make());
    const last = await Promise.all([make(), make(), make()]);
    assert.deepEqual(last.map((answer) => String(answer.status)).toSorted(), ["200", "409", "409"]);
  }
});

test("a test sends a marked, signed sample of the first event, and shows the response", async () => {
  const made = await makeWebhook(client, {
    url: `${receiver.url}/try`,
    events: ["deal.*"],
    enabled: false,
  });
  receiver.respond = status(202, {}, "thanks");
  const told = ok(await client.post(`${WEBHOOKS}/${made.id}/test`)).body;
  assert.deepEqual([told.ok, told.status, told.body, told.fault], [true, 202, "thanks", null]);
  const [received] = receiver.received.filter(({ path }) => path === "/try");
  new Webhook(made.secret).verify(
    received?.body ?? "",
    received?.headers as Record<string, string>,
  );
  assert.equal(received?.headers["leadport-test"], "true");
  const { type, data } = JSON.parse(received?.body ?? "");
  assert.deepEqual([type, data.test, data.record_id], ["deal.created", true, NOBODY]);
  receiver.respond = status(500);
  assert.equal(ok(await client.post(`${WEBHOOKS}/${made.id}/test`)).body.ok, false);
  const down = await makeWebhook(client, { url: "http://127.0.0.1:1/", events: ["*"] });
  const failed = ok(await client.post(`${WEBHOOKS}/${down.id}/test`)).body;
  assert.deepEqual([failed.ok, failed.status, failed.fault], [false, null, "connection"]);
});

test("an invalid, too old or too large range is rejected, and so is a second replay", async () => {
  const now_s = Math.floor(Date.now() / 1000);
  const { id } = await makeWebhook(client, LEAST);
  const replay = (start_date: unknown, end_date: unknown, of = id) =>
    client.post(`${WEBHOOKS}/${of}/replay`, { start_date, end_date });
  assert.deepEqual(sentencesOf(await replay(now_s, now_s - 1)), [
    "start_date: start_date must not be after end_date",
  ]);
  assert.deepEqual(sentencesOf(await replay(now_s - 31 * 86_400, now_s)), [
    "start_date: start_date must be within the last 30 days",
  ]);
  const far = await replay("2020-01-01", now_s);
  assert.equal(far.body.detail[0].input, "2020-01-01");
  assert.deepEqual(faultsOf(await replay("yesterday", true)), [
    "body.start_date value_error",
    "body.end_date float_type",
  ]);
  for (const milliseconds of [Date.now(), 1e11, 9.3e12, 1e16, 1e300]) {
    for (const answer of [await replay(now_s, milliseconds), await replay(milliseconds, now_s)]) {
      const [sentence] = sentencesOf(answer);
      assert.match(sentence ?? "", /_date: an epoch time must be in seconds, not in milliseconds$/);
    }
  }
  for (const negative of [-1, -1e300]) {
    assert.equal((await replay(negative, now_s)).status, 422);
    assert.equal((await replay(now_s, negative)).status, 422);
  }
  refused(await replay(now_s, now_s, NOBODY), 404);
  ok(await replay(now_s - 60, now_s));
  refused(await replay(now_s - 60, now_s), 409);
  await api.sql`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                         actor_kind, actor_id, actor_name, fields)
    select ${client.tenantId}, lpad(to_hex(${now_s - 5000}::bigint), 8, '0') || lpad(n::text, 16, '0'),
           to_timestamp(${now_s - 5000}::bigint), 'task', 't', 'updated', 'service', 's', 's', '{}'
      from generate_series(1, 100001) n`;
  const full = await makeWebhook(client, { ...LEAST, events: ["task.*"] });
  assert.match(
    sentencesOf(await replay(now_s - 6000, now_s, full.id))[0] ?? "",
    /more than 100000/,
  );
});

test("a partner has separate webhooks, only for pushed leads and without a filter", async () => {
  const tenant = await api.tenant();
  const own = await partnerOf(tenant);
  const other = await partnerOf(tenant);
  const events = ["pushed_lead.accepted", "pushed_lead.rejected"];
  const { secret, ...made } = await makeWebhook(own, { ...LEAST, events }, PARTNER_WEBHOOKS);
  assert.match(secret, /^whsec_/);
  assert.deepEqual(ok(await own.get(PARTNER_WEBHOOKS)).body, [made]);
  const one = `${PARTNER_WEBHOOKS}/${made.id}`;
  for (const body of [{ events: ["lead.created"] }, { events: ["*"] }]) {
    assert.deepEqual(faultsOf(await own.post(PARTNER_WEBHOOKS, { ...LEAST, ...body })), [
      "body.events.0 enum",
    ]);
  }
  const filtered = { ...LEAST, events, filter: {} };
  const [noFilter] = faultsOf(await own.post(PARTNER_WEBHOOKS, filtered));
  assert.match(noFilter ?? "", /^body\.filter /);
  const back = JSON.stringify(ok(await own.get(one)).body);
  const headers = { "content-type": "application/json" };
  const same = await own.request({ method: "PATCH", path: one, headers, body: back });
  assert.deepEqual(ok(same).body, made);
  assert.deepEqual(ok(await other.get(PARTNER_WEBHOOKS)).body, []);
  assert.deepEqual(ok(await tenant.get(WEBHOOKS)).body, []);
  refused(await other.get(one), 404);
  refused(await tenant.get(`${WEBHOOKS}/${made.id}`), 404);
  for (const act of ["test", "secret", "deliveries"]) {
    const method = act === "deliveries" ? "GET" : "POST";
    refused(await other.request({ method, path: `${one}/${act}` }), 404);
  }
  refused(await other.request({ method: "DELETE", path: one }), 404);
  assert.deepEqual(ok(await own.get(`${one}/deliveries`)).body, []);
  const [entry] = ok(await tenant.get("/crm/admin/audit", { subject_id: made.id })).body;
  assert.deepEqual([entry.actor.kind, entry.actor.id], ["partner", own.partner_id]);
  assert.equal(ok(await own.request({ method: "DELETE", path: one })).body.deleted, true);
});

test("a partner's replay counts and reads only changes to the partner's own leads", async () => {
  const tenant = await api.tenant();
  const own = await partnerOf(tenant);
  const other = await partnerOf(tenant);
  await own.push();
  for (let n = 0; n < 3; n++) await other.push();
  const now_s = Math.floor(Date.now() / 1000);
  const range = { start_date: now_s - 600, end_date: now_s + 60 };
  const replayed = async (client: typeof own | typeof tenant, path: string) => {
    const { id } = await makeWebhook(client, { ...LEAST, events: ["pushed_lead.*"] }, path);
    const one = `${path}/${id}`;
    const { changes } = ok(await client.post(`${one}/replay`, range)).body;
    assert.equal(ok(await client.get(one)).body.replay.changes, changes);
    return changes;
  };
  assert.deepEqual(
    [await replayed(own, PARTNER_WEBHOOKS), await replayed(tenant, WEBHOOKS)],
    [1, 4],
  );
  await api.sql`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                         actor_kind, actor_id, actor_name, fields)
    select tenant_id, lpad(to_hex(${now_s}::bigint), 8, '0') || lpad(n::text, 16, '0'), now(),
           subject_type, subject_id, 'updated', 'service', 's', 's', '{}'
      from changes, generate_series(1, 100001) n
     where id = (select max(id) from changes where tenant_id = ${tenant.tenantId} and subject_type = 'pushed_lead')`;
  assert.equal(await replayed(own, PARTNER_WEBHOOKS), 1);
});

test("addresses that are allowed for tenants are not allowed for their partners, when saving, testing and sending", async () => {
  const strict = await fileApi({ partnerAllow: [], works: true });
  const tenant = await strict.tenant();
  const partner = await partnerOf(tenant);
  const url = `${receiver.url}/secret`;
  const events = ["pushed_lead.*"];
  const refusedUrl = ["body.url value_error"];
  assert.deepEqual(faultsOf(await partner.post(PARTNER_WEBHOOKS, { url, events })), refusedUrl);
  const { id } = await makeWebhook(partner, { ...LEAST, events }, PARTNER_WEBHOOKS);
  const one = `${PARTNER_WEBHOOKS}/${id}`;
  const body = JSON.stringify({ url });
  const headers = { "content-type": "application/json" };
  const patched = await partner.request({ method: "PATCH", path: one, headers, body });
  assert.deepEqual(faultsOf(patched), refusedUrl);
  // Simulate a webhook that was saved while its URL was allowed.
  const stored = url.replace("http:", "https:");
  await strict.sql`update event_webhooks set url = ${stored} where id = ${id}`;
  const tried = ok(await partner.post(`${one}/test`)).body;
  assert.deepEqual([tried.ok, tried.status, tried.fault], [false, null, "refused_address"]);
  await partner.push();
  const [delivery] = await eventually(
    async () => ok(await partner.get(`${one}/deliveries`)).body as Body[],
    ([first]) => first !== undefined && first["last_attempt"] !== null,
  );
  const attempt = delivery?.["last_attempt"] as Body | undefined;
  assert.equal(attempt?.["fault"], "refused_address");
  await makeWebhook(tenant, { url, events });
  await partner.push();
  const isTold = () => receiver.received.some(({ path }) => path === "/secret");
  await eventually(isTold, (told) => told);
  const told = receiver.received.filter(({ path }) => path === "/secret");
  assert.ok(
    told.every(({ body: text }) => text.includes('"seq"')),
    "only the tenant is notified",
  );
});

test("a partner's test does not show the response", async () => {
  const partner = await partnerOf(await api.tenant());
  const url = `${receiver.url}/partner`;
  const { id: pushed } = await partner.push();
  receiver.respond = status(200, {}, "not for partners");
  const { id } = await makeWebhook(partner, { url, events: ["pushed_lead.*"] }, PARTNER_WEBHOOKS);
  const tried = ok(await partner.post(`${PARTNER_WEBHOOKS}/${id}/test`));
  assert.deepEqual([tried.body.ok, tried.body.status], [true, 200]);
  assert.ok(!tried.text.includes("not for partners"));
  const sample = JSON.parse(tried.body.request.body).data.pushed_lead;
  const seen = ok(await partner.get(`/crm/partner/pushed/${pushed}`)).body;
  assert.deepEqual(Object.keys(sample).toSorted(), Object.keys(seen).toSorted());
});

const change = (more: Partial<FeedEntry>): FeedEntry => ({
  seq: 1,
  id: NOBODY,
  at: "2026-01-01T00:00:00.000Z",
  type: "lead",
  record_id: NOBODY,
  action: "updated",
  version: 2,
  fields: {},
  actor: { kind: "service", id: "s", name: "s" },
  request_id: null,
  ...more,
});

const status_ = { status: { old: "open", new: "lost" } };
const CHANGES: readonly (readonly [Partial<FeedEntry>, readonly string[]])[] = [
  [{ action: "created", fields: status_ }, ["lead.created"]],
  [{ fields: status_ }, ["lead.updated", "lead.status_changed"]],
  [{ fields: { name: { old: "A", new: "B" } } }, ["lead.updated"]],
  [{ reason: "converted" }, ["lead.updated", "lead.converted"]],
  [{ action: "merged" }, ["lead.merged"]],
  [{ action: "created", reason: "restored", fields: status_ }, ["lead.restored"]],
  [
    { type: "deal", fields: { stage: { old: "draft", new: "closed_won" } } },
    ["deal.updated", "deal.stage_changed"],
  ],
  [{ type: "task", action: "deleted", fields: status_ }, ["task.deleted"]],
  [{ type: "pushed_lead", action: "created", reason: "pushed" }, ["pushed_lead.received"]],
  [{ type: "pushed_lead", reason: "expired" }, ["pushed_lead.expired"]],
  [{ type: "pushed_lead", reason: "pondered" }, []],
];

test("a change leads to the events that the table lists", () => {
  for (const [more, events] of CHANGES) assert.deepEqual(eventsOf(change(more)), events);
});

test("the page lists every event, and the limits of the code", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/event-webhooks.md"), "utf8");
  const [, table = ""] = /## The events\n([^]*?)\n## /.exec(page) ?? [];
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)]);
  assert.deepEqual(named.map(([, name = ""]) => name).toSorted(), eventNames.toSorted());
  const { tenant, partner } = WEBHOOKS_MAX;
  const text = page.replaceAll(/\s+/g, " ");
  for (const limit of [
    `at most ${tenant} webhooks, and each of its partners can have at most ${partner}.`,
    `at most ${REPLAY_DAYS_MAX} days ago`,
    `at most ${REPLAY_CHANGES_MAX.toLocaleString("en")} changes`,
    `has ${OPEN_MAX.toLocaleString("en")} pending deliveries`,
  ]) {
    assert.ok(text.includes(limit), limit);
  }
  for (const reason of DISABLED_REASONS) assert.ok(page.includes(`\`${reason}\``), reason);
});
