/** Which calls are retried, with which idempotency key and for how long, and which calls are not. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConnectionFailed,
  createClient,
  LeadportError,
  type RawBody,
} from "../../sdk/src/index.ts";
import { eventually } from "../kit/eventually.ts";
import type { Fault } from "./faulty-proxy.ts";
import { all, QUICK, sdkWorld } from "./sdk-kit.ts";

const lost: Fault = { kind: "lose-answer" };
const refused: Fault = { kind: "refuse" };
const answered = (status: number, headers: Readonly<Record<string, string>> = {}): Fault => ({
  kind: "answer",
  status,
  headers,
});

test("a write happens once, whatever was lost on the way", async (t) => {
  const { leadport, proxy, plain } = await sdkWorld(t);
  const cases: readonly (readonly Fault[])[] = [
    [lost],
    [refused, lost, lost],
    [{ kind: "cut", bytes: 40 }],
    [answered(502), answered(503, { "retry-after": "0" }), answered(504), lost],
    [answered(429, { "retry-after": "0" })],
    [answered(409, { "retry-after": "0" })],
  ];
  for (const [number, faults] of cases.entries()) {
    proxy.next(...faults);
    const name = `Lead ${number}`;
    const made = await leadport.request("post", "/crm/leads", { body: { name } });
    assert.equal(proxy.seen.length, faults.length + 1, name);
    assert.equal(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size, 1);
    const wasLost = faults.some(({ kind }) => kind === "lose-answer" || kind === "cut");
    assert.equal(made.isReplayed, wasLost, name);

    const path = { lead_id: made.data._id };
    proxy.next(...faults);
    const changed = await leadport.patch("/crm/leads/{lead_id}", { path, body: { title: "Dr" } });
    assert.equal(changed.version, 2);
    const { body } = await plain.get("/crm/leads", { match_filter_dict: { name } });
    assert.deepEqual(body.leads, [changed]);
  }
});

test("many concurrent writes through many faults are one record each", async (t) => {
  const { leadport, proxy } = await sdkWorld(t, { retry: { ...QUICK, attempts: 50 } });
  const kinds = [lost, undefined, refused, answered(503), { kind: "cut", bytes: 100 } as const];
  proxy.next(...Array.from({ length: 120 }, (_, i) => kinds[i % kinds.length]));
  const names = Array.from({ length: 30 }, (_, i) => `Lead ${String(i).padStart(2, "0")}`);
  const made = await Promise.all(
    names.map((name) => leadport.post("/crm/leads", { body: { name } })),
  );
  proxy.next();
  const stored = await all(leadport.pages("/crm/leads", { sort_dict: { name: 1 } }));
  assert.deepEqual(stored, made);
});

test("two calls have two keys, and a caller's own key is sent", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const body = { name: "Mara Lind" };
  proxy.next();
  const first = await leadport.post("/crm/leads", { body, idempotencyKey: "order-4711" });
  const again = await leadport.post("/crm/leads", { body, idempotencyKey: "order-4711" });
  await leadport.post("/crm/leads", { body });
  await leadport.post("/crm/leads", { body });
  assert.equal(again._id, first._id);
  const keys = proxy.seen.map(({ headers }) => headers["idempotency-key"]);
  assert.deepEqual(keys.slice(0, 2), ["order-4711", "order-4711"]);
  assert.equal(new Set(keys).size, 3);
});

test("reads and deletions are retried without a key, and a PUT with the same key", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const task = await leadport.post("/crm/tasks", { body: { name: "Call back" } });
  const path = { task_id: task._id };
  const keysOf = async (call: () => Promise<unknown>) => {
    proxy.next(refused, answered(503));
    await call();
    assert.equal(proxy.seen.length, 3);
    return new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"]));
  };
  const none = new Set([undefined]);
  assert.deepEqual(await keysOf(() => leadport.get("/crm/tasks/{task_id}", { path })), none);
  assert.deepEqual(await keysOf(() => leadport.delete("/crm/tasks/{task_id}", { path })), none);
  const keys = await keysOf(() =>
    leadport.put("/crm/admin/duplicate_check", { body: { enabled: false } }),
  );
  assert.equal(keys.size, 1);
  assert.match(String([...keys][0]), /\S/);
});

test("requests are not retried if that cannot help, or could do harm", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const body = { name: "Mara Lind" };
  const create = (options: object) => leadport.post("/crm/leads", { body, ...options });
  const { id } = await leadport.imports.create({ type: "leads" });
  const sendData = (file: RawBody) => leadport.imports.sendData(id, file);
  const busy = answered(429, { "retry-after": "0" });
  const taken = answered(409, { "retry-after": "0" });
  const cases = [
    { faults: [lost], call: () => create({ idempotencyKey: false }), error: ConnectionFailed },
    { faults: [answered(503)], call: () => create({ idempotencyKey: false }), status: 503 },
    { faults: [busy], call: () => create({ idempotencyKey: false }), status: 429 },
    { faults: [taken], call: () => create({ idempotencyKey: false }), status: 409 },
    { faults: [busy], call: () => sendData("Name\nMara Lind\n"), status: 429 },
    { faults: [taken], call: () => sendData(new Blob(["Name\n"])), status: 409 },
    { faults: [busy], call: () => sendData(new Blob(["Name\n"]).stream()), status: 429 },
    { faults: [answered(500)], call: () => create({}), status: 500 },
    { faults: [answered(409)], call: () => create({}), status: 409 },
    { faults: [answered(302, { location: "/" })], call: () => create({}), status: 302 },
    { faults: [answered(503)], call: () => create({ retry: false }), status: 503 },
    { faults: [], call: () => leadport.post("/crm/leads", { body: {} as never }), status: 422 },
  ];
  for (const { faults, call, error = LeadportError, status } of cases) {
    proxy.next(...faults);
    await assert.rejects(call, (thrown: Error) => {
      assert.ok(thrown instanceof error, String(thrown));
      assert.equal("status" in thrown ? thrown.status : undefined, status);
      return true;
    });
    assert.equal(proxy.seen.length, 1);
  }
});

test("a write that ignores keys is sent once, without a key", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const calls = [
    () => leadport.persons.report({ email: "mara@example.com" }),
    () => leadport.post("/auth/links/use", { body: { token: "x", password: "y" } }),
  ];
  for (const call of calls) {
    proxy.next(lost);
    await assert.rejects(call, ConnectionFailed);
    assert.deepEqual(
      proxy.seen.map(({ headers }) => headers["idempotency-key"]),
      [undefined],
    );
  }
});

test("tries have a number and a time, and Retry-After is respected", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const get = (retry: object) => leadport.get("/crm/admin/tenant", { retry });
  const always = Array.from({ length: 20 }, () => refused);
  proxy.next(...always);
  await assert.rejects(get({ attempts: 3 }), ConnectionFailed);
  assert.equal(proxy.seen.length, 3);

  proxy.next(answered(503, { "retry-after": "3600" }));
  // The requested wait of an hour is longer than the time limit of a call.
  await assert.rejects(get({}), { status: 503, retryAfter_s: 3600 });
  assert.equal(proxy.seen.length, 1);

  proxy.next(answered(429, { "retry-after": "1" }));
  await get({});
  const [first, second] = proxy.seen;
  assert.ok(first && second && second.at_ms - first.at_ms >= 990);
});

test("a try that takes too long is ended, and an abort ends all", async (t) => {
  let responses = 0;
  const onResponse = () => void (responses += 1);
  const { leadport, proxy, plain } = await sdkWorld(t, { onResponse });
  const impatient = createClient({
    url: proxy.url,
    token: plain.bearer,
    retry: QUICK,
    // Only the request that hangs has the time limit. The second one gets its response, however long it takes.
    fetch: (url, init) => fetch(url, proxy.seen.length === 0 ? init : { ...init, signal: null }),
  });
  proxy.next({ kind: "hang" });
  await impatient.get("/crm/admin/tenant", { timeout_ms: 300 });
  assert.equal(proxy.seen.length, 2);

  const reason = new Error("the user left");
  // An abort ends both an unanswered request and a one-minute wait requested by a 429.
  const cases = [
    { fault: { kind: "hang" }, isReached: () => proxy.seen.length === 1 },
    { fault: answered(429, { "retry-after": "60" }), isReached: () => responses === 1 },
  ] as const;
  for (const { fault, isReached } of cases) {
    proxy.next(fault);
    responses = 0;
    const stop = new AbortController();
    const call = leadport.get("/crm/admin/tenant", { signal: stop.signal });
    const aborted = assert.rejects(call, reason);
    await eventually(isReached);
    stop.abort(reason);
    await aborted;
    assert.equal(proxy.seen.length, 1);
  }
  const signal = AbortSignal.abort(reason);
  await assert.rejects(leadport.get("/crm/admin/tenant", { signal }), reason);
});
