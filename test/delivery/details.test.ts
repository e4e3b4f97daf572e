/** The details of a delivery: its event, webhook and record, and what each attempt sent and received. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS_MAX } from "../../src/delivery/attempts.ts";
import { SENT_BYTES_MAX } from "../../src/delivery/sent-request.ts";
import { ok, type Body } from "../api/samples.ts";
import { makeWebhook, PARTNER_WEBHOOKS, WEBHOOKS } from "../events/event-kit.ts";
import { accepted, sentOff, setWebhook } from "../exchange/callouts/callout-kit.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import type { Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { file, fileApi } from "../kit/file-api.ts";
import { deliveryWorld } from "./delivery-kit.ts";
import { startReceiver, status, type Receiver } from "./receiver.ts";
import { makeDelivery } from "./stored.ts";

const DELIVERIES = "/crm/admin/deliveries";
const api = await fileApi({ works: true });

/** Returns the newest delivery of a tenant, once it has been attempted. */
async function attempted(client: Client, query: Body = {}) {
  const [listed] = await eventually(
    async () => ok(await client.get(DELIVERIES, query)).body as Body[],
    ([first]) => first !== undefined && first["last_attempt"] !== null,
  );
  return { listed: listed ?? assert.fail(), ...(await whole(client, String(listed?.["id"]))) };
}

async function whole(client: Client, id: string) {
  const { attempts, ...delivery } = ok(await client.get(`${DELIVERIES}/${id}`)).body;
  return { delivery, attempts, attempt: attempts.at(-1) };
}

/** Headers that the HTTP client adds. */
const CLIENT_HEADERS = new Set(["host", "connection", "content-length"]);

function lastAt({ received }: Receiver) {
  const { headers, ...got } = received.at(-1) ?? assert.fail();
  const own = Object.entries(headers).filter(([name]) => !CLIENT_HEADERS.has(name));
  return { ...got, headers: Object.fromEntries(own) };
}

test("a delivery names event, webhook and record, and shows its request and response", async () => {
  const client = await api.tenant();
  const receiver = await startReceiver(file);
  const answer = { "content-type": "text/plain", "x-node": "7", "set-cookie": "session=secret" };
  receiver.respond = status(202, answer, "thanks");
  const url = `${receiver.url}/in?key=1`;
  const webhook = await makeWebhook(client, { url, events: ["lead.created"], description: "Sync" });
  const lead = ok(await client.post("/crm/leads", { name: "Ada", ssn: "123-45-6789" })).body;
  const { listed, delivery, attempts, attempt } = await attempted(client);
  assert.deepEqual(
    [delivery.event, delivery.webhook, delivery.record],
    [
      "lead.created",
      { id: webhook.id, kind: "event_webhook", url, description: "Sync", partner: null },
      { type: "lead", id: lead._id, name: "Ada" },
    ],
  );
  assert.deepEqual(listed, delivery);
  assert.deepEqual(ok(await client.get(`${WEBHOOKS}/${webhook.id}/deliveries`)).body, [delivery]);
  assert.equal(attempts.length, 1);
  const { body, headers } = lastAt(receiver);
  const sent = { method: "POST", url, headers, body, body_bytes: Buffer.byteLength(body) };
  assert.deepEqual(attempt.request, sent);
  const order = Object.keys(headers).filter((name) => name in attempt.request.headers);
  assert.deepEqual(Object.keys(attempt.request.headers), order);
  assert.match(headers["webhook-signature"] as string, /^v1,/);
  assert.ok(!body.includes("123-45"));
  assert.deepEqual(
    [attempt.status, attempt.answer, attempt.answer_bytes, attempt.fault],
    [202, "thanks", 6, null],
  );
  const { "content-type": type, "x-node": node, "set-cookie": cookie } = attempt.answer_headers;
  assert.deepEqual([type, node, cookie], ["text/plain", "7", "***"]);
});

test("secret headers of the import webhook are masked where they are stored and shown", async () => {
  const client = await api.tenant();
  const receiver = await startReceiver(file);
  const secrets = {
    Authorization: "Bearer hidden-1",
    "X-Api-Key": "hidden-2",
    "User-Agent": "hidden-3",
  };
  const headers = { ...secrets, "Content-Type": "application/json; charset=utf-8" };
  await setWebhook(client, { url: receiver.url, method: "PUT", headers });
  const partner = await partnerOf(client);
  const pushed = await accepted(client, partner, { name: "Ines Falk" });
  await sentOff(client, pushed);
  const { delivery, attempt } = await attempted(client);
  assert.deepEqual(
    [delivery.event, delivery.webhook, delivery.record],
    [
      "lead.imported",
      {
        id: "import_webhook",
        kind: "import_webhook",
        url: receiver.url,
        description: null,
        partner: null,
      },
      { type: "pushed_lead", id: pushed, name: "Ines Falk" },
    ],
  );
  const got = lastAt(receiver);
  assert.equal(got.headers["authorization"], "Bearer hidden-1");
  const { method, headers: shown, body } = attempt.request;
  assert.deepEqual([method, body], ["PUT", got.body]);
  for (const name of Object.keys(secrets)) assert.equal(shown[name], "***", name);
  assert.equal(shown["content-type"], "application/json; charset=utf-8");
  assert.equal(shown["webhook-id"], delivery.id);
  const rows = await api.sql`select row_to_json(a) as row from delivery_attempts a`;
  assert.ok(!JSON.stringify(rows).includes("hidden-"));
});

test("the user agent is shown if it is ours", async () => {
  const client = await api.tenant();
  const receiver = await startReceiver(file);
  await setWebhook(client, { url: receiver.url });
  await sentOff(client, await accepted(client, await partnerOf(client)));
  const { attempt } = await attempted(client);
  assert.equal(attempt.request.headers["user-agent"], "Leadport");
});

test("a request without a response is shown, and one that was not created is null", async () => {
  const client = await api.tenant();
  const webhook = await makeWebhook(client, { url: "http://127.0.0.1:1/", events: ["task.*"] });
  ok(await client.post("/crm/tasks", { name: "Call" }));
  const first = await attempted(client);
  const { fault, request, answer, answer_headers, answer_bytes } = first.attempt;
  assert.deepEqual([fault, request.url], ["connection", "http://127.0.0.1:1/"]);
  assert.equal(JSON.parse(request.body).type, "task.created");
  assert.deepEqual([answer, answer_headers, answer_bytes], [null, null, null]);
  ok(await client.patch(`${WEBHOOKS}/${webhook.id}`, { enabled: false }));
  ok(await client.post(`${DELIVERIES}/${first.delivery.id}/resend`));
  const { attempts } = await eventually(
    () => whole(client, first.delivery.id),
    (seen) => seen.delivery.status === "failed",
  );
  const last = attempts.at(-1);
  assert.deepEqual([last.fault, last.request], ["skipped", null]);
});

test("each attempt has its own request: after a URL is fixed, the next attempt shows the new one", async () => {
  const client = await api.tenant();
  const receiver = await startReceiver(file);
  // Without `Retry-After`, the next attempt would follow after only 5 s.
  receiver.respond = status(503, { "retry-after": "3600" }, "down");
  const events = ["task.created"];
  const webhook = await makeWebhook(client, { url: `${receiver.url}/old`, events });
  ok(await client.post("/crm/tasks", { name: "Call" }));
  const { delivery } = await attempted(client);
  receiver.respond = status(200);
  ok(await client.patch(`${WEBHOOKS}/${webhook.id}`, { url: `${receiver.url}/new` }));
  ok(await client.post(`${DELIVERIES}/${delivery.id}/resend`));
  const { attempts } = await eventually(
    () => whole(client, delivery.id),
    (seen) => seen.delivery.status === "delivered",
  );
  assert.deepEqual(
    attempts.map(({ request, status: code }: Body) => [(request as Body)["url"], code]),
    [
      [`${receiver.url}/old`, 503],
      [`${receiver.url}/new`, 200],
    ],
  );
});

test("a tenant sees which partner owns a webhook, and the partner sees its own deliveries", async () => {
  const client = await api.tenant();
  const receiver = await startReceiver(file);
  const partner = await partnerOf(client, { name: "Pier Nine" });
  const events = ["pushed_lead.received"];
  const webhook = await makeWebhook(partner, { url: receiver.url, events }, PARTNER_WEBHOOKS);
  const { id } = await partner.push({ name: "Mara Lind" });
  const { delivery } = await attempted(client);
  const described = {
    event: "pushed_lead.received",
    webhook: {
      id: webhook.id,
      kind: "partner_webhook",
      url: receiver.url,
      description: null,
      partner: { id: partner.partner_id, name: "Pier Nine" },
    },
    record: { type: "pushed_lead", id, name: "Mara Lind" },
  };
  assert.deepEqual({ ...delivery, ...described }, delivery);
  const [own] = ok(await partner.get(`${PARTNER_WEBHOOKS}/${webhook.id}/deliveries`)).body;
  assert.deepEqual(own, delivery);
  assert.ok(!("attempts" in own));
});

test("deliveries to a deleted webhook stay, and a deleted record has no name", async () => {
  const client = await api.tenant();
  const receiver = await startReceiver(file);
  const { id } = await makeWebhook(client, { url: receiver.url, events: ["task.deleted"] });
  const task = ok(await client.post("/crm/tasks", { name: "Call" })).body;
  ok(await client.delete(`/crm/tasks/${task._id}`));
  const { delivery } = await attempted(client);
  assert.deepEqual(delivery.record, { type: "task", id: task._id, name: null });
  ok(await client.delete(`${WEBHOOKS}/${id}`));
  const nothing = { kind: null, url: null, description: null, partner: null };
  const after = (await whole(client, delivery.id)).delivery;
  assert.deepEqual([after.event, after.webhook], ["task.deleted", { id, ...nothing }]);
});

test("a delivery from before its event and record were stored is described as well", async () => {
  const client = await api.tenant();
  const lead = ok(await client.post("/crm/leads", { name: "Ole Vik" })).body;
  const [change] = ok(await client.get("/crm/admin/audit", { subject_id: lead._id })).body;
  const { id: webhook } = await makeWebhook(client, {
    url: "https://hooks.example.com/",
    events: ["deal.created"],
  });
  const subject_id = `${webhook}.${change.id}.lead.created`;
  const id = await makeDelivery(api.sql, client.tenantId, { topic: "event", subject_id });
  const { delivery } = await whole(client, id);
  assert.deepEqual(
    [delivery.event, delivery.webhook.id, delivery.record],
    ["lead.created", webhook, { type: "lead", id: lead._id, name: "Ole Vik" }],
  );
});

const BODIES: readonly (readonly [string, string | undefined, string | null])[] = [
  ["none", undefined, null],
  ["an empty one", "", ""],
  ["U+0000, a byte order mark, an emoji", "\uFEFFa\0b👩‍👩‍👧\r\n", "\uFEFFa\0b👩‍👩‍👧\r\n"],
  ["the longest that is stored whole", "x".repeat(SENT_BYTES_MAX), "x".repeat(SENT_BYTES_MAX)],
  // Each é takes two bytes. The limit falls in the middle of an é, which is then omitted.
  ["a longer one", `x${"é".repeat(SENT_BYTES_MAX)}`, `x${"é".repeat(SENT_BYTES_MAX / 2 - 1)}`],
];

test("a body is stored as it was sent, up to 64 KiB", async (t) => {
  const receiver = await startReceiver(t);
  const bodies = new Map<string, string | undefined>();
  const world = await deliveryWorld(t, {
    request: ({ subject_id }) => ({
      url: receiver.url,
      method: "POST",
      body: bodies.get(subject_id),
    }),
  });
  const scope = await world.tenant();
  world.work();
  for (const [what, sent, stored] of BODIES) {
    bodies.set(what, sent);
    const id = await world.promise(scope, what);
    const { attempts } = await world.deliveryWhen(scope, id, (one) => one.status === "delivered");
    const { body, body_bytes } = attempts[0].request;
    assert.equal(body, stored, what);
    assert.equal(body_bytes, Buffer.byteLength(sent ?? ""), what);
  }
});

test("a binary or long response is shown in part, with its size", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  world.work();
  receiver.respond = (response) => void response.end(Buffer.from([0, 0xff, 0x41]));
  const binary = await world.promise(scope, "binary");
  const first = await world.deliveryWhen(scope, binary, (one) => one.status === "delivered");
  assert.deepEqual(
    [first.attempts[0].answer, first.attempts[0].answer_bytes],
    ["\uFFFD\uFFFDA", 3],
  );
  receiver.respond = (response) => void response.end("y".repeat(100_000));
  const long = await world.promise(scope, "long");
  const second = await world.deliveryWhen(scope, long, (one) => one.status === "delivered");
  assert.deepEqual(
    [second.attempts[0].answer, second.attempts[0].answer_bytes],
    ["y".repeat(2048), 65_536],
  );
});

test("of many attempts, the newest have their requests", async () => {
  const client = await api.tenant();
  const id = await makeDelivery(api.sql, client.tenantId);
  await api.sql`
    insert into delivery_attempts (tenant_id, delivery_id, id, at, duration_ms, fault, request,
                                   request_body, request_bytes)
    select ${client.tenantId}, ${id}, lpad(to_hex(n), 24, 'f'), now(), 1, 'timeout',
           '{"method": "POST", "url": "https://example.com/in", "headers": {}}', 'x', 1
      from generate_series(1, ${REQUESTS_MAX}::integer + 1) n`;
  const { attempts } = await whole(client, id);
  const requests = (attempts as Body[]).map(({ request }) => request);
  assert.deepEqual(requests.slice(0, 2), [null, null]);
  assert.ok(requests.slice(2).every((request) => (request as Body)["body"] === "x"));
  assert.equal(requests.length, REQUESTS_MAX + 2);
});
