/** Traces: what is sent to a collector about requests, statements, outgoing calls and background jobs. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import pino from "pino";
import { asJob } from "../../src/platform/admission/index.ts";
import { openTracing, type Tracing } from "../../src/platform/tracing/index.ts";
import { filled, readDocument } from "../api/operations.ts";
import { ok } from "../api/samples.ts";
import { startReceiver, status } from "../delivery/receiver.ts";
import { makeWebhook } from "../events/event-kit.ts";
import { startApi, type ApiOptions } from "../kit/api.ts";
import { migratedDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { startCollector, type ReceivedSpan } from "../kit/otlp.ts";
import { openPools, atEnd } from "../kit/started.ts";

type TracingConfig = Parameters<typeof openTracing>[0];

const CONFIG: TracingConfig = {
  otlpEndpoint: undefined,
  otlpHeaders: undefined,
  traceServiceName: "leadport",
  traceSampler: "parentbased_always_on",
  traceSamplerArg: 1,
};

async function open(
  t: TestContext,
  config: Partial<TracingConfig>,
  log = pino({ level: "silent" }),
) {
  const tracing = (await openTracing({ ...CONFIG, ...config }, log)) as Tracing;
  atEnd(t, () => tracing.close());
  return tracing;
}

/** How long the end of a trace waits for the collector. Longer than the default, for a busy machine. */
const SENT_WITHIN_ms = 60_000;

/** Starts an API that sends its traces to a collector. `spans` flushes the remaining spans and returns all of them. */
async function traced(
  t: TestContext,
  config: Partial<TracingConfig> = {},
  options: ApiOptions = {},
) {
  const collector = await startCollector(t);
  const tracing = await open(t, { otlpEndpoint: collector.endpoint, ...config });
  const api = await startApi(t, { ...options, tracing });
  const spans = async (): Promise<readonly ReceivedSpan[]> => {
    await tracing.close(SENT_WITHIN_ms);
    return collector.spans;
  };
  return { api, collector, spans };
}

const isLine = (line: string): boolean => line.includes('"msg":"request"');

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const traceparent = (flags: "00" | "01") => `00-${TRACE}-${PARENT}-${flags}`;

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, `${name}: ${spans.map((span) => span.name).join(", ")}`);
  return found[0] as ReceivedSpan;
};
const within = (spans: readonly ReceivedSpan[], { id }: ReceivedSpan): readonly ReceivedSpan[] =>
  spans.filter(({ parent }) => parent === id);

test("a list is a span within the caller's, and its statements are within that", async (t) => {
  const { api, collector, spans } = await traced(t, { otlpHeaders: { "api-key": "secret" } });
  const acme = await api.tenant();
  const headers = { traceparent: traceparent("01") };
  const path = "/crm/leads?page_size=5&match_filter_dict=%7B%22name%22%3A%22Ann%22%7D";
  const response = await acme.request({ method: "GET", path, headers });
  assert.equal(response.status, 200);
  const lines = await eventually(
    () => api.log().split("\n").filter(isLine),
    ({ length }) => length === 1,
  );
  const line = JSON.parse(lines[0] as string) as Readonly<Record<string, unknown>>;
  assert.equal(line["trace_id"], TRACE);
  const found = await spans();
  const server = named(found, "GET /crm/leads");
  assert.deepEqual([server.trace, server.parent, server.kind], [TRACE, PARENT, "server"]);
  assert.deepEqual(server.attributes, {
    "http.request.method": "GET",
    "url.scheme": "http",
    "url.path": "/crm/leads",
    "http.route": "/crm/leads",
    "leadport.tenant": acme.tenantId,
    "leadport.credential": line["credential"],
    "http.response.status_code": 200,
  });
  assert.equal(server.isFailed, false);
  assert.equal(server.resource["service.name"], "leadport");
  const statements = within(found, server);
  assert.ok(statements.length > 0);
  for (const { name, kind, trace, attributes, start_ms, end_ms } of statements) {
    assert.deepEqual([name, kind, trace], ["SELECT", "client", TRACE]);
    assert.equal(attributes["db.system.name"], "postgresql");
    assert.match(String(attributes["db.query.text"]), /^select /);
    assert.ok(start_ms >= server.start_ms && end_ms >= start_ms && end_ms <= server.end_ms + 1);
  }
  const [{ url, headers: sent } = { url: "", headers: {} }] = collector.requests;
  assert.deepEqual([url, sent["content-type"]], ["/v1/traces", "application/x-protobuf"]);
  assert.equal(sent["api-key"], "secret");
});

test("a transaction is a span that its statements are within", async (t) => {
  const { api, spans } = await traced(t);
  const acme = await api.tenant();
  const headers = { "content-type": "application/json", "idempotency-key": "once" };
  const body = JSON.stringify({ name: "Ann" });
  ok(await acme.request({ method: "POST", path: "/crm/leads", headers, body }));
  const found = await spans();
  const transaction = named(found, "transaction");
  assert.equal(transaction.parent, named(found, "POST /crm/leads").id);
  const names = within(found, transaction).map(({ name }) => name);
  assert.ok(names.length > 1 && names.every((name) => /^(SELECT|WITH|INSERT|UPDATE)$/.test(name)));
});

test("a request that fails is marked, and so is the statement that it failed by", async (t) => {
  const { api, spans } = await traced(t);
  const acme = await api.tenant();
  await api.sql`alter table leads rename to leads_moved`;
  assert.equal((await acme.get("/crm/leads")).status, 500);
  assert.equal((await acme.get("/crm/leads/unknown")).status, 404);
  assert.equal((await acme.get("/healthz")).status, 200);
  const found = await spans();
  const server = named(found, "GET /crm/leads");
  assert.deepEqual([server.isFailed, server.attributes["error.type"]], [true, "500"]);
  const failed = within(found, server).filter(({ isFailed }) => isFailed);
  assert.deepEqual(
    failed.map(({ attributes }) => attributes["error.type"]),
    ["42P01"],
  );
  const missing = named(found, "GET /crm/leads/:lead_id");
  assert.deepEqual(
    [missing.isFailed, missing.attributes["http.response.status_code"]],
    [false, 404],
  );
  assert.ok(!found.some(({ name }) => name.includes("healthz")), "health checks are not traced");
});

test("a delivery and the queueing of its event are traces, and the receiver gets no trace headers", async (t) => {
  const { api, collector, spans } = await traced(t, {}, { works: true });
  const acme = await api.tenant();
  const receiver = await startReceiver(t);
  // The next attempt comes after an hour. A busy machine could otherwise reach it before the spans are read.
  receiver.respond = status(503, { "retry-after": "3600" });
  const url = `${receiver.url}/a-secret-path?key=a-secret-key`;
  await makeWebhook(acme, { url, events: ["lead.created"] });
  ok(await acme.post("/crm/leads", { name: "Ann" }));
  await eventually(
    () => receiver.received.length,
    (count) => count === 1,
  );
  const isDone = async () =>
    (await api.sql`select from deliveries where topic = 'event' and attempts = 1`).length;
  await eventually(isDone, (count) => count === 1);
  // The attempt's span ends after the attempt has been recorded.
  await eventually(() => collector.spans.some(({ name }) => name === "delivery attempt"));
  const found = await spans();
  const queueing = named(found, "queue events");
  assert.deepEqual([queueing.parent, queueing.attributes["leadport.tenant"]], ["", acme.tenantId]);
  assert.ok(within(found, queueing).some(({ name }) => name === "transaction"));
  const attempt = named(found, "delivery attempt");
  assert.deepEqual([attempt.parent, attempt.isFailed], ["", true]);
  assert.equal(attempt.attributes["leadport.outcome"], "rejected");
  const call = named(found, "POST");
  assert.deepEqual([call.parent, call.kind, call.isFailed], [attempt.id, "client", true]);
  assert.deepEqual(call.attributes, {
    "http.request.method": "POST",
    "url.scheme": "http",
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(receiver.url).port),
    "http.response.status_code": 503,
    "error.type": "503",
  });
  assert.equal(receiver.received[0]?.headers["traceparent"], undefined);
  assert.doesNotMatch(JSON.stringify(found), /a-secret/);
});

const SAMPLED: readonly (readonly [TracingConfig["traceSampler"], number, string?, number?])[] = [
  ["always_off", 1],
  ["traceidratio", 0],
  ["parentbased_traceidratio", 0],
  ["parentbased_always_on", 1, traceparent("00")],
  ["parentbased_always_off", 1, traceparent("01"), 1],
  ["traceidratio", 1, traceparent("00"), 1],
  ["always_on", 1, "not a traceparent", 1],
];

test("the sampler decides which traces are sent, and the log has the id of all", async (t) => {
  for (const [traceSampler, traceSamplerArg, parent, count = 0] of SAMPLED) {
    const { api, spans, collector } = await traced(t, { traceSampler, traceSamplerArg });
    const acme = await api.tenant();
    const headers = parent === undefined ? {} : { traceparent: parent };
    ok(await acme.request({ method: "GET", path: "/crm/leads", headers }));
    await eventually(api.log, (log) => /"trace_id":"[0-9a-f]{32}"/.test(log));
    const found = await spans();
    const servers = found.filter(({ kind }) => kind === "server");
    assert.equal(servers.length, count, `${traceSampler} ${parent ?? ""}`);
    if (count === 0) assert.deepEqual([found, collector.requests], [[], []]);
  }
});

test("the time that a statement waits for a connection has a separate span", async (t) => {
  const collector = await startCollector(t);
  const tracing = await open(t, { otlpEndpoint: collector.endpoint });
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: 1, listTimeout_ms: 10_000 });
  const job = tracing.start("job");
  await asJob(job, () => Promise.all([db.sql`select pg_sleep(0.1)`, db.sql`select 1`]));
  job.end();
  await db.close();
  await tracing.close(SENT_WITHIN_ms);
  const { spans } = collector;
  const wait = named(spans, "wait for a connection");
  assert.equal(wait.parent, named(spans, "job").id);
  const [first, second] = spans
    .filter(({ name }) => name === "SELECT")
    .toSorted((a, b) => a.start_ms - b.start_ms) as [ReceivedSpan, ReceivedSpan];
  assert.ok(wait.start_ms <= first.end_ms && wait.end_ms >= first.end_ms - 1);
  assert.ok(second.start_ms >= wait.end_ms - 1, "the statement starts when the wait is over");
});

test("a trace has a bounded number of spans", async (t) => {
  const collector = await startCollector(t);
  const tracing = await open(t, { otlpEndpoint: collector.endpoint });
  const job = tracing.start("job");
  for (let i = 0; i < 2000; i += 1) job.start("step").end();
  job.end();
  await tracing.close(SENT_WITHIN_ms);
  assert.equal(collector.spans.length, 501);
});

test("requests do not wait for a collector that is unreachable, nor does the end", async (t) => {
  const tracing = await open(t, { otlpEndpoint: "http://127.0.0.1:1" });
  const api = await startApi(t, { tracing });
  const acme = await api.tenant();
  for (let i = 0; i < 20; i += 1) assert.equal((await acme.get("/crm/leads")).status, 200);
  await tracing.close();
});

test("the log has one warning for all rejected batches, and what was lost", async (t) => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const collector = await startCollector(t, 401);
  const tracing = await open(t, { otlpEndpoint: collector.endpoint }, log);
  // Three full batches, because they are sent together and any of them can be rejected first.
  for (let i = 0; i < 3 * 512; i += 1) tracing.start("job").end();
  await tracing.close(SENT_WITHIN_ms);
  await eventually(
    () => collector.requests.length,
    (count) => count === 3,
  );
  await eventually(
    () => lines.length,
    (count) => count === 1,
  );
  const warning = JSON.parse(lines[0] as string) as Readonly<Record<string, unknown>>;
  assert.match(String(warning["msg"]), /Sending traces failed .*OTEL_EXPORTER_OTLP_ENDPOINT/);
  assert.deepEqual([warning["spans"], warning["reason"]], [512, "Unauthorized"]);
});

const EMAIL = "ann.lee@example.com";
const PERSONAL = /ann\.lee|ann%2e?lee|example\.com|5550006/i;

test("no span has personal data, whatever is sent in paths, queries and bodies", async (t) => {
  const { api, spans } = await traced(t, {}, { rateLimit: 0 });
  const acme = await api.tenant();
  const document = await readDocument(acme);
  const phone = "+15005550006";
  const lists = { email_list: [{ email: EMAIL }], phone_list: [{ phone }] };
  ok(await acme.post("/crm/leads", { name: "ann.lee", ...lists }));
  const filter = {
    $or: [{ "email_list.email": EMAIL }, { name: { $regex: "ann\\.lee" } }, { tags: EMAIL }],
  };
  ok(await acme.get("/crm/leads", { match_filter_dict: filter }));
  let sent = 0;
  for (const [path, methods] of Object.entries<object>(document.paths)) {
    if (!path.includes("{")) continue;
    for (const method of Object.keys(methods)) {
      const body = method === "get" || method === "delete" ? undefined : `{"email":"${EMAIL}"}`;
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const given = filled(path, () => encodeURIComponent(EMAIL));
      const query = `?email=${EMAIL}&phone=${encodeURIComponent(phone)}`;
      await acme.request({ method: method.toUpperCase(), path: given + query, headers, body });
      sent += 1;
    }
  }
  await acme.get(`/${EMAIL}`);
  const found = await spans();
  const servers = found.filter(({ kind }) => kind === "server").length;
  assert.ok(sent > 50 && servers >= sent, `${sent} sent, ${servers} traced`);
  const shown = found.filter((span) => PERSONAL.test(JSON.stringify(span)));
  assert.deepEqual(shown, []);
});
