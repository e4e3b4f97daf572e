/** GET /crm/changes/stream: what readers receive, and when a stream ends. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileApi } from "../kit/file-api.ts";
import { readDocument } from "../api/operations.ts";
import { startOwnApp, type OwnAppOptions } from "../api/own-app.ts";
import { ok } from "../api/samples.ts";
import { Client } from "../kit/api.ts";
import { brief, changesIn, openStream, type StreamOptions, readersOf } from "./feed-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { file } from "../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();
const { nowOf, readOn } = readersOf(api.sql);

const listen = (reader: Parameters<typeof openStream>[1], options?: StreamOptions) =>
  openStream(file, reader, options);
const lead = (name: string) => acme.post("/crm/leads", { name });

/** Starts another process of the same installation, with different time limits. */
async function ownApp(options: Partial<OwnAppOptions>) {
  const app = await startOwnApp(file, { url: api.databaseUrl, ...options });
  const { bearer, tenantId, personId } = acme;
  const client = new Client(app.url, bearer, tenantId, personId, () => Promise.reject(new Error()));
  return { ...app, client };
}

test("a stream sends what the pages return, as it happens, with the same cursors", async () => {
  const since = await nowOf(acme);
  const stream = await listen(acme, { query: `?since=${since}` });
  assert.equal(stream.status, 200);
  assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.equal(stream.headers.get("cache-control"), "no-store");
  await eventually(() => stream.text().startsWith("retry: 1000\n"));
  const first = ok(await lead("One\r\nline\u2028")).body;
  await eventually(() => changesIn(stream).length === 1);
  ok(await acme.patch(`/crm/leads/${first._id}`, { name: "Two" }));
  await eventually(() => changesIn(stream).length === 2);
  assert.deepEqual(changesIn(stream), (await readOn(acme, since)).changes);
  for (const { event, id, data } of stream.events) {
    if (event === "change") assert.equal(id, JSON.parse(data).cursor);
  }
  stream.cut();
});

test("Last-Event-ID continues where a stream was cut, and takes precedence over since", async () => {
  const stream = await listen(acme, { query: `?since=${await nowOf(acme)}` });
  await eventually(() => stream.events.length === 1);
  stream.cut();
  await stream.ended;
  ok(await lead("Meanwhile"));
  const last = stream.events.at(-1)?.id;
  const again = await listen(acme, { query: "?since=now&types=lead", last });
  await eventually(() => changesIn(again).length > 0);
  assert.deepEqual(changesIn(again).map(brief), ["lead created 1"]);
  again.cut();
  const empty = await listen(acme, { query: `?since=${last}`, last: "" });
  await eventually(() => changesIn(empty).length > 0);
  empty.cut();
});

test("errors are returned before the first byte", async () => {
  const cases = [
    [{ query: "?since=x" }, 422],
    [{ query: "?types=x" }, 422],
    [{ query: "?limit=1" }, 422],
    [{ last: "x" }, 422],
  ] as const;
  for (const [options, status] of cases) {
    const stream = await listen(acme, options);
    await stream.ended;
    assert.equal(stream.status, status);
  }
  const bad = await acme.request({
    method: "GET",
    path: "/crm/changes/stream",
    headers: { "last-event-id": "x" },
  });
  assert.deepEqual(bad.body.detail[0].loc, ["header", "Last-Event-ID"]);
  const body = await readDocument(acme);
  const { parameters } = body.paths["/crm/changes/stream"].get;
  const described = parameters.filter((one: { in: string }) => one.in === "header");
  assert.deepEqual(
    described.map(({ name, required = false }: { name: string; required?: boolean }) => [
      name,
      required,
    ]),
    [["Last-Event-ID", false]],
  );
});

test("a reader without changes gets heartbeats, with an advancing cursor", async () => {
  const { client } = await ownApp({ heartbeat_ms: 50 });
  const stream = await listen(client, { query: "?since=now&types=task" });
  ok(await lead("Not a task"));
  await eventually(() => new Set(stream.events.map(({ id }) => id)).size > 1);
  assert.match(stream.text(), /\n: heartbeat\n/);
  assert.deepEqual(new Set(stream.events.map(({ event }) => event)), new Set(["cursor"]));
  stream.cut();
});

test("a stream ends when its token is revoked", async () => {
  const token = await acme.token(["records:read"]);
  const stream = await listen(token, { query: `?since=${await nowOf(acme)}` });
  await eventually(() => stream.events.length > 0);
  const tokens = ok(await acme.get("/crm/admin/access_tokens")).body as Record<string, string>[];
  const { id } = tokens.find(({ name }) => name === "records:read") ?? {};
  ok(await acme.delete(`/crm/admin/access_tokens/${id}`));
  assert.equal(await stream.ended, true);
  ok(await lead("Unseen"));
  assert.deepEqual(changesIn(stream), []);
});

test("a token has five streams, and one that ends frees its place", async () => {
  const token = await acme.token(["records:read"]);
  const five = await Promise.all(Array.from({ length: 5 }, () => listen(token)));
  const sixth = await token.get("/crm/changes/stream");
  assert.equal(sixth.status, 429);
  assert.equal(sixth.headers.get("retry-after"), "5");
  assert.equal((await (await acme.token(["admin"])).get("/crm/changes/stream")).status, 200);
  for (const stream of five) stream.cut();
  await eventually(async () => (await token.get("/crm/changes/stream")).status === 200);
});

test("readers that disconnect hold no place", async () => {
  const token = await acme.token(["records:read"]);
  for (let at = 0; at < 30; at++) {
    const sent = request(`${api.url}/crm/changes/stream`, {
      headers: { authorization: `Bearer ${token.bearer}` },
    });
    sent.on("error", () => undefined);
    sent.end();
    await delay(2);
    sent.destroy();
  }
  await eventually(async () => (await token.get("/crm/changes/stream")).status === 200);
});

/** Returns the time at which a process last checked for running transactions. */
const lastAsked = async (): Promise<string> => {
  const [row] = await api.sql`
    select max(query_start)::text as at from pg_stat_activity
     where datname = current_database() and query like '%xip(pg_current_snapshot())%'
       and pid <> pg_backend_pid()`;
  return row?.["at"] as string;
};

test("a stream without a reader sends no more queries", async () => {
  const stream = await listen(acme, { query: "?since=now" });
  await eventually(() => stream.events.length > 0);
  const before = await lastAsked();
  await eventually(async () => (await lastAsked()) > before);
  stream.cut();
  await eventually(async () => {
    const last = await lastAsked();
    await delay(600);
    return (await lastAsked()) === last;
  });
});

test("a reader that reads nothing is cut off", async () => {
  const rival = await api.tenant();
  const filling = Array.from({ length: 900 }, () => ({ product_id: "x".repeat(990) }));
  const account_id = ok(await rival.post("/crm/accounts", { name: "A" })).body._id;
  for (let at = 0; at < 8; at++) {
    const deal = { name: "Big", account_id, product_dict_list: filling };
    ok(await rival.post("/crm/opportunities", deal));
  }
  const app = await ownApp({ stall_ms: 300 });
  const sent = request(`${app.url}/crm/changes/stream`, {
    headers: { authorization: `Bearer ${rival.bearer}` },
  });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const sockets = () =>
    new Promise<number>((resolve) => {
      app.app.server.getConnections((_error, count) => resolve(count));
    });
  await eventually(async () => (await sockets()) === 0);
  answer.on("error", () => undefined);
  answer.destroy();
});

test("a service that stops ends its streams and is not held up by them", async () => {
  const app = await ownApp({});
  const stream = await listen(app.client, { query: "?since=now" });
  await eventually(() => stream.events.length > 0);
  const closing = app.app.close();
  assert.equal(await stream.ended, true);
  app.app.server.closeIdleConnections();
  await closing;
});
