/** GET /crm/admin/pushed_leads/stream: what reviewers are told as it happens, and who is told. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { closeBeforeServer } from "../kit/database.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "../api/own-app.ts";
import { ok, type Body } from "../api/samples.ts";
import {
  openStream,
  readersOf,
  until,
  type Stream,
  type StreamOptions,
} from "../events/feed-kit.ts";
import type { Client } from "../kit/api.ts";
import { decide, importPushed, partnerOf, REVIEW, type PushedBody } from "./exchange-kit.ts";

const api = await fileApi();
const { nowOf, readOn } = readersOf(api.sql);
const path = `${REVIEW}/stream`;
const open: Stream[] = [];
closeBeforeServer(() => {
  for (const stream of open) stream.cut();
});

type Reader = Parameters<typeof openStream>[0];

async function listen(reader: Reader, options: StreamOptions = {}): Promise<Stream> {
  const stream = await openStream(reader, { path, ...options });
  open.push(stream);
  return stream;
}

/** A stream that has begun: it tells what comes from here on, once what was before is settled. */
async function begun(
  reader: Client,
  options: StreamOptions = {},
  feedReader: Client = reader,
): Promise<Stream> {
  await nowOf(feedReader);
  const stream = await listen(reader, options);
  await until(() => stream.events.length > 0);
  return stream;
}

/** What was told of pushed leads. */
const toldIn = ({ events }: Stream) =>
  events
    .filter(({ event }) => event !== "cursor")
    .map(({ event, id, data }) => ({ event, id, lead: JSON.parse(data) as PushedBody }));
const briefIn = (stream: Stream): readonly string[] =>
  toldIn(stream).map(({ event, lead }) => `${event} ${lead.status}`);

test("a push and each decision are told with the lead as the list tells it", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const stream = await begun(tenant);
  assert.equal(stream.status, 200);
  assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  const { id } = await partner.push({ comments: "One\r\nline\u2028" });
  const listed = async () => ok(await tenant.get(REVIEW)).body[0] as Body;
  for (const [at, word] of ([undefined, "accept", "import"] as const).entries()) {
    if (word !== undefined) ok(await decide(tenant, id, word));
    await until(() => toldIn(stream).length > at);
    assert.deepEqual(toldIn(stream).at(-1)?.lead, await listed());
  }
  const rejected = await partner.push();
  ok(await decide(tenant, rejected.id, "reject"));
  await until(() => briefIn(stream).at(-1) === "pushed_lead.status_changed rejected");
  const [first, ...rest] = briefIn(stream);
  assert.equal(first, "pushed_lead.received pending");
  assert.deepEqual(rest.slice(0, 2), [
    "pushed_lead.status_changed accepted",
    "pushed_lead.status_changed imported",
  ]);
});

test("what auto accept takes is told as received and as moved, both as it is then", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant, { auto_accept: true });
  const stream = await begun(tenant);
  await partner.push();
  await until(() => toldIn(stream).length === 2);
  assert.deepEqual(briefIn(stream), [
    "pushed_lead.received accepted",
    "pushed_lead.status_changed accepted",
  ]);
});

test("a stream begins now, or behind a cursor of its own or of the feed", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const { next } = ok(await tenant.get("/crm/changes", { since: "now" })).body;
  const early = await begun(tenant);
  const first = await partner.push();
  await until(() => toldIn(early).length === 1);
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
    await until(() => idsOf(stream).length >= ids.length);
    assert.deepEqual(idsOf(stream), ids);
    stream.cut();
  }
  const late = await begun(tenant, { last: "" });
  const third = await partner.push();
  await until(() => idsOf(late).includes(third.id));
  assert.ok(!idsOf(late).includes(first.id));
});

test("a merge of the lead that a push became moves no push, and is not told", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const { id } = await partner.push();
  const made = await importPushed(tenant, id);
  const other = ok(await tenant.post("/crm/leads", { name: "Survivor" })).body._id as string;
  const stream = await begun(tenant);
  ok(await tenant.post(`/crm/leads/${other}/merge`, { ids: [made["_id"]] }));
  await partner.push();
  await until(() => toldIn(stream).length > 0);
  assert.deepEqual(briefIn(stream), ["pushed_lead.received pending"]);
});

/** Ends the session that waits for a lock to read pushed leads; whether there was one. */
async function endWaiting(): Promise<boolean> {
  const ended = await api.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and query like '%from pushed_leads p%'`;
  return ended.length > 0;
}

test("what the database could not tell at first is told when it can, once", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const since = await nowOf(tenant);
  const { id } = await partner.push();
  await readOn(tenant, since);
  const stream = await api.sql.begin(async (tx) => {
    await tx`lock table partners in access exclusive mode`;
    const opened = await listen(tenant, { query: `?since=${since}` });
    await until(endWaiting);
    assert.deepEqual(toldIn(opened), []);
    return opened;
  });
  await until(() => toldIn(stream).length > 0);
  assert.deepEqual(briefIn(stream), ["pushed_lead.received pending"]);
  assert.equal(toldIn(stream)[0]?.lead.id, id);
  const next = await partner.push();
  await until(() => toldIn(stream).length > 1);
  assert.deepEqual(
    toldIn(stream).map(({ lead }) => lead.id),
    [id, next.id],
  );
});

test("what is wrong is told before the first byte", async () => {
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

test("reviewing alone is enough, and the stream ends with the token", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const reviewer = await tenant.token(["exchange:review"]);
  const stream = await begun(reviewer, {}, tenant);
  await partner.push();
  await until(() => toldIn(stream).length === 1);
  const tokens = ok(await tenant.get("/crm/admin/access_tokens")).body as Record<string, string>[];
  const { id } = tokens.find(({ name }) => name === "exchange:review") ?? {};
  const began = performance.now();
  ok(await tenant.delete(`/crm/admin/access_tokens/${id}`));
  assert.equal(await stream.ended, true);
  assert.ok(performance.now() - began < 3000);
  await partner.push();
  assert.equal(toldIn(stream).length, 1);
});

test("another tenant is told nothing", async () => {
  const [tenant, rival] = [await api.tenant(), await api.tenant()];
  const [partner, theirs] = [await partnerOf(tenant), await partnerOf(rival)];
  const [stream, other] = [await begun(tenant), await begun(rival)];
  const { id } = await partner.push();
  await until(() => toldIn(stream).length === 1);
  const own = await theirs.push();
  await until(() => toldIn(other).length > 0);
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
  await until(async () => (await token.get(path)).status === 200);
});

test("where nothing is pushed heartbeats come, with a cursor that moves on", async () => {
  const tenant = await api.tenant();
  const app = await startOwnApp({ url: api.databaseUrl, heartbeat_ms: 50 });
  try {
    const stream = await listen({ url: app.url, bearer: tenant.bearer });
    ok(await tenant.post("/crm/leads", { name: "No push" }));
    await until(() => new Set(stream.events.map(({ id }) => id)).size > 1);
    assert.match(stream.text(), /\n: heartbeat\n/);
    assert.deepEqual(toldIn(stream), []);
    stream.cut();
  } finally {
    await app.stop();
  }
});
