/** GET /crm/admin/pushed_leads/stream: what reviewers receive in real time, and who may open the stream. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../../api/own-app.ts";
import { ok, type Body } from "../../api/samples.ts";
import { openStream, readersOf, type Stream, type StreamOptions } from "../../events/feed-kit.ts";
import type { Client } from "../../kit/api.ts";
import { decide, importPushed, partnerOf, REVIEW, type PushedBody } from "../exchange-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { file } from "../../kit/started.ts";

const api = await fileApi();
const { nowOf, readOn } = readersOf(api.sql);
const path = `${REVIEW}/stream`;

type Reader = Parameters<typeof openStream>[1];

const listen = (reader: Reader, options: StreamOptions = {}) =>
  openStream(file, reader, { path, ...options });

/** Opens a stream after all earlier changes have been returned, and waits until it has started. */
async function startStream(
  reader: Client,
  options: StreamOptions = {},
  feedReader: Client = reader,
): Promise<Stream> {
  await nowOf(feedReader);
  const stream = await listen(reader, options);
  await eventually(() => stream.events.length > 0);
  return stream;
}

/** Returns the stream's events about pushed leads. */
const toldIn = ({ events }: Stream) =>
  events
    .filter(({ event }) => event !== "cursor")
    .map(({ event, id, data }) => ({ event, id, lead: JSON.parse(data) as PushedBody }));
const briefIn = (stream: Stream): readonly string[] =>
  toldIn(stream).map(({ event, lead }) => `${event} ${lead.status}`);

test("a push and each decision are sent with the lead as the list shows it", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const stream = await startStream(tenant);
  assert.equal(stream.status, 200);
  assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  const { id } = await partner.push({ comments: "One\r\nline\u2028" });
  const listed = async () => ok(await tenant.get(REVIEW)).body[0] as Body;
  for (const [at, word] of ([undefined, "accept", "import"] as const).entries()) {
    if (word !== undefined) ok(await decide(tenant, id, word));
    await eventually(() => toldIn(stream).length > at);
    assert.deepEqual(toldIn(stream).at(-1)?.lead, await listed());
  }
  const rejected = await partner.push();
  ok(await decide(tenant, rejected.id, "reject"));
  await eventually(() => briefIn(stream).at(-1) === "pushed_lead.status_changed rejected");
  const [first, ...rest] = briefIn(stream);
  assert.equal(first, "pushed_lead.received pending");
  assert.deepEqual(rest.slice(0, 2), [
    "pushed_lead.status_changed accepted",
    "pushed_lead.status_changed imported",
  ]);
});

test("a lead that auto accept accepts is sent as received and as accepted, each as it is then", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant, { auto_accept: true });
  const stream = await startStream(tenant);
  await partner.push();
  await eventually(() => toldIn(stream).length === 2);
  assert.deepEqual(briefIn(stream), [
    "pushed_lead.received accepted",
    "pushed_lead.status_changed accepted",
  ]);
});

test("a stream starts now, or after its own cursor or one of the feed", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const { next } = ok(await tenant.get("/crm/changes", { since: "now" })).body;
  const early = await startStream(tenant);
  const first = await partner.push();
  await eventually(() => toldIn(early).length === 1);
  early.cut();
  const second = await partner.push();
  const [told] = toldIn(early);
  const idsOf = (stream: Stream) => toldIn(stream).map(({ lead }) => lead.id);
  const cases = [
    [{ query: `?since=${next}` }, [first.id, second.id]],
    [{ query: `?since=${told?.id}` }, [second.id]],
    [{ last: told?.id }, [second.id]],
    [{ query: `?since=${next}`, last: told?.id }, [second.id]],
  ] as const;
  for (const [options, ids] of cases) {
    const stream = await listen(tenant, options);
    await eventually(() => idsOf(stream).length >= ids.length);
    assert.deepEqual(idsOf(stream), ids);
    stream.cut();
  }
  const late = await startStream(tenant, { last: "" });
  const third = await partner.push();
  await eventually(() => idsOf(late).includes(third.id));
  assert.ok(!idsOf(late).includes(first.id));
});

test("a merge of the lead that a push became moves no push, and is not sent", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const { id } = await partner.push();
  const made = await importPushed(tenant, id);
  const other = ok(await tenant.post("/crm/leads", { name: "Survivor" })).body._id as string;
  const stream = await startStream(tenant);
  ok(await tenant.post(`/crm/leads/${other}/merge`, { ids: [made["_id"]] }));
  await partner.push();
  await eventually(() => toldIn(stream).length > 0);
  assert.deepEqual(briefIn(stream), ["pushed_lead.received pending"]);
});

/** Terminates the session that is waiting for a lock to read pushed leads. Returns whether there was one. */
async function endWaiting(): Promise<boolean> {
  const ended = await api.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query like '%from pushed_leads p%'`;
  return ended.length > 0;
}

test("events that the database could not return at first are sent later, once", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const since = await nowOf(tenant);
  const { id } = await partner.push();
  await readOn(tenant, since);
  const stream = await api.sql.begin(async (tx) => {
    await tx`lock table partners in access exclusive mode`;
    const opened = await listen(tenant, { query: `?since=${since}` });
    await eventually(endWaiting);
    assert.deepEqual(toldIn(opened), []);
    return opened;
  });
  await eventually(() => toldIn(stream).length > 0);
  assert.deepEqual(briefIn(stream), ["pushed_lead.received pending"]);
  assert.equal(toldIn(stream)[0]?.lead.id, id);
  const next = await partner.push();
  await eventually(() => toldIn(stream).length > 1);
  assert.deepEqual(
    toldIn(stream).map(({ lead }) => lead.id),
    [id, next.id],
  );
});

test("errors are returned before the first byte", async () => {
  const tenant = await api.tenant();
  const reader = await tenant.token(["records:write"]);
  const nobody = { url: api.url, bearer: "lp_x" };
  const rival = await api.tenant();
  const { next } = ok(await rival.get("/crm/changes", { since: "now" })).body;
  const cases = [
    [tenant, { query: "?since=x" }, 422],
    [tenant, { query: `?since=${next}` }, 422],
    [tenant, { query: "?types=lead" }, 422],
    [tenant, { last: "x" }, 422],
    [reader, {}, 403],
    [nobody, {}, 401],
  ] as const;
  for (const [who, options, status] of cases) {
    const stream = await listen(who, options);
    await stream.ended;
    assert.equal(stream.status, status, JSON.stringify(options));
  }
  const headers = { "last-event-id": "x" };
  const answer = await tenant.request({ method: "GET", path, headers });
  assert.deepEqual(answer.body.detail[0].loc, ["header", "Last-Event-ID"]);
});

test("review permission alone is enough, and the stream ends with the token", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const reviewer = await tenant.token(["exchange:review"]);
  const stream = await startStream(reviewer, {}, tenant);
  await partner.push();
  await eventually(() => toldIn(stream).length === 1);
  const tokens = ok(await tenant.get("/crm/admin/access_tokens")).body as Record<string, string>[];
  const { id } = tokens.find(({ name }) => name === "exchange:review") ?? {};
  ok(await tenant.delete(`/crm/admin/access_tokens/${id}`));
  assert.equal(await stream.ended, true);
  await partner.push();
  assert.equal(toldIn(stream).length, 1);
});

test("another tenant receives nothing", async () => {
  const tenant = await api.tenant();
  const rival = await api.tenant();
  const partner = await partnerOf(tenant);
  const theirs = await partnerOf(rival);
  const stream = await startStream(tenant);
  const other = await startStream(rival);
  const { id } = await partner.push();
  await eventually(() => toldIn(stream).length === 1);
  const own = await theirs.push();
  await eventually(() => toldIn(other).length > 0);
  assert.deepEqual(
    toldIn(other).map(({ lead }) => lead.id),
    [own.id],
  );
  assert.ok(!other.text().includes(id));
});

test("streams of both kinds share a token's five places", async () => {
  const token = await (await api.tenant()).token(["records:read", "exchange:review"]);
  const feed = "/crm/changes/stream";
  const five = [path, feed, path, feed, path].map((each) => listen(token, { path: each }));
  await Promise.all(five);
  for (const each of [path, feed]) {
    const sixth = await token.get(each);
    assert.equal(sixth.status, 429);
    assert.equal(sixth.headers.get("retry-after"), "5");
  }
  (await five[0])?.cut();
  await eventually(async () => (await token.get(path)).status === 200);
});

test("without pushes heartbeats come, with an advancing cursor", async (t) => {
  const tenant = await api.tenant();
  const app = await startOwnApp(t, { url: api.databaseUrl, heartbeat_ms: 50 });
  const stream = await listen({ url: app.url, bearer: tenant.bearer });
  ok(await tenant.post("/crm/leads", { name: "No push" }));
  await eventually(() => new Set(stream.events.map(({ id }) => id)).size > 1);
  assert.match(stream.text(), /\n: heartbeat\n/);
  assert.deepEqual(toldIn(stream), []);
});
