/**
 * Rate limits as callers see them: response headers, 429 responses, limits per token and per partner, and responses
 * that do not count.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Answer, Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import {
  askToken,
  makePartner,
  partnerOf,
  PARTNERS,
  withToken,
} from "../../exchange/partner-kit.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { file } from "../../kit/started.ts";

const MINUTE_ms = 60_000;
/** This clock starts in the first half of a minute. Tests can advance it. */
const clock = {
  at_ms: Math.floor(Date.now() / MINUTE_ms) * MINUTE_ms + 100,
  now_ms: () => clock.at_ms,
};
const api = await fileApi({ clock, trustedProxies: ["127.0.0.1"] });
const owner = await api.tenant();
const elsewhere = await startOwnApp(file, { url: api.databaseUrl, clock, rateLimit: 0 });

const TOKENS = "/crm/admin/access_tokens";
const NOBODY = "0".repeat(24);

interface Limited {
  readonly id: string;
  readonly bearer: string;
  readonly send: (path: string, init?: RequestInit, url?: string) => Promise<Answer>;
}

/** Creates a token for one test. Returns its client and the response. */
async function makeToken(fields: object = {}): Promise<Limited> {
  const made = { name: "Limited", permissions: ["records:write"], ...fields };
  const { id, token: bearer } = ok(await owner.post(TOKENS, made)).body;
  const send = async (path: string, init: RequestInit = {}, url = api.url): Promise<Answer> => {
    const headers = { authorization: `Bearer ${bearer}`, ...(init.headers as object) };
    const answer = await fetch(url + path, { ...init, headers });
    const text = await answer.text();
    const body: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
    return { status: answer.status, headers: answer.headers, body, text };
  };
  return { id, bearer, send };
}

const JSON_BODY = { "content-type": "application/json" };
const sending = (method: string, body: string, headers: object = {}): RequestInit => ({
  method,
  body,
  headers: { ...JSON_BODY, ...headers },
});

/**
 * Returns a response's rate limit as `[q, w, r, t]`: the limit, the window in seconds, the remaining requests, and the
 * seconds until the limit resets. Undefined if the response has no such headers.
 */
function told({ headers }: { readonly headers: Headers }): readonly number[] | undefined {
  const policy = headers.get("ratelimit-policy");
  const limit = headers.get("ratelimit");
  if (policy === null && limit === null) return undefined;
  const [, q, w] = /^"default";q=(\d+);w=(\d+)$/.exec(policy ?? "") ?? [];
  const [, r, t] = /^"default";r=(\d+);t=(\d+)$/.exec(limit ?? "") ?? [];
  return [q, w, r, t].map(Number);
}

test("every response to a credential shows its limit, whatever the status", async () => {
  const { send, bearer } = await makeToken({ rate_limit: 50 });
  const file = { method: "PUT", body: "name\nAda\n", headers: { "content-type": "text/csv" } };
  const imported = ok(
    await send("/crm/imports", sending("POST", JSON.stringify({ type: "lead", format: "csv" }))),
  );
  const answers: readonly (readonly [path: string, status: number, init?: RequestInit])[] = [
    ["/crm/leads", 200],
    ["/crm/leads/created", 200],
    ["/crm/leads", 200, sending("POST", '{"name":"Ada"}')],
    ["/crm/leads", 422, sending("POST", "{}")],
    ["/crm/leads", 422, sending("POST", "{")],
    [`/crm/leads/${NOBODY}`, 400, sending("PATCH", "{}")],
    [`/crm/leads/${NOBODY}`, 404],
    ["/crm/admin/tenant", 403],
    ["/crm/leads/export", 200],
    [`/crm/imports/${imported.body.id}/data`, 200, file],
  ];
  let left = 49;
  for (const [path, status, init] of answers) {
    const answer = await send(path, init);
    assert.equal(answer.status, status, `${path} ${answer.text}`);
    assert.deepEqual(told(answer), [50, 60, --left, 60], path);
  }
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${bearer}` };
  const stream = await fetch(`${api.url}/crm/changes/stream`, { headers, signal: leaving.signal });
  assert.deepEqual(told(stream), [50, 60, --left, 60]);
  leaving.abort();
});

test("a response to an unknown caller shows no limit", async () => {
  const { send } = await makeToken({ ip_allow_list: ["192.0.2.7"] });
  const { partner_id } = await makePartner(owner);
  const answers = [
    await owner.request({ method: "GET", path: "/crm/leads", headers: { authorization: null } }),
    await owner.request({ method: "GET", path: "/healthz" }),
    await owner.get("/openapi.json"),
    await owner.get("/crm/nothing"),
    await owner.delete("/crm/leads"),
    await send("/crm/leads", { headers: { "x-forwarded-for": "203.0.113.9" } }),
    await askToken(owner, { partner_id, access_code: "wrong" }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 200, 200, 404, 405, 403, 401],
  );
  for (const answer of answers) assert.equal(told(answer), undefined);
});

test("one request too many returns 429 until the window ends, and is counted in the metrics", async () => {
  const { send } = await makeToken({ rate_limit: 3 });
  for (const left of [2, 1, 0]) {
    assert.deepEqual(told(await send("/crm/leads")), [3, 60, left, 60]);
  }
  clock.at_ms += 20_000;
  const refused = await send("/crm/leads", sending("POST", '{"name":"Too many"}'));
  assert.equal(refused.status, 429);
  assert.deepEqual(refused.body, {
    detail: "This credential has reached its request limit; try again later",
  });
  assert.equal(refused.headers.get("retry-after"), "40");
  assert.deepEqual(told(refused), [3, 60, 0, 40]);
  await eventually(
    async () => (await owner.get("/metrics")).text,
    (text) => /leadport_rate_limited_total\{api="crm"\} 1\n/.test(text),
  );
  assert.equal((await owner.get("/crm/leads")).status, 200, "others are not concerned");
  clock.at_ms += 40_000;
  assert.deepEqual(told(await send("/crm/leads")), [3, 60, 2, 60]);
});

test("processes share the count of a credential", async () => {
  const { send } = await makeToken({ rate_limit: 4 });
  const at = async (url: string) => (await send("/crm/leads", {}, url)).status;
  const here = api.url;
  const there = elsewhere.url;
  const statuses = [await at(here), await at(there), await at(there), await at(here)];
  assert.deepEqual(statuses, [200, 200, 200, 200]);
  assert.deepEqual([await at(there), await at(here)], [429, 429]);
});

test("a limit is the installation's, a token's own, or none", async () => {
  const { id, send } = await makeToken();
  assert.equal(told(await send("/crm/leads"))?.[0], 6000);
  assert.equal(told(await send("/crm/leads", {}, elsewhere.url)), undefined);
  const patched = async (body: object) => {
    const answer = ok(await owner.patch(`${TOKENS}/${id}`, body)).body;
    return [answer.name, answer.rate_limit];
  };
  assert.deepEqual(await patched({ rate_limit: 20, name: "Form" }), ["Form", 20]);
  assert.equal(told(await send("/crm/leads"))?.[0], 20);
  clock.at_ms += 1001;
  assert.equal(told(await send("/crm/leads", {}, elsewhere.url))?.[0], 20);
  assert.deepEqual(await patched({ rate_limit: 0 }), ["Form", 0]);
  assert.equal(told(await send("/crm/leads")), undefined);
  assert.deepEqual(await patched({ rate_limit: null }), ["Form", null]);
  assert.deepEqual(await patched({ rate_limit: null }), ["Form", null]);
  assert.equal(told(await send("/crm/leads"))?.[0], 6000);
  const audit = ok(await owner.get("/crm/admin/audit", { subject_id: id })).body;
  assert.deepEqual(
    audit.map(({ action, fields }: { action: string; fields: object }) => [
      action,
      action === "created" ? {} : fields,
    ]),
    [
      ["updated", { rate_limit: { old: 0, new: null } }],
      ["updated", { rate_limit: { old: 20, new: 0 } }],
      ["updated", { name: { old: "Limited", new: "Form" }, rate_limit: { old: null, new: 20 } }],
      ["created", {}],
    ],
  );
});

const WRONG: readonly (readonly [body: object, status: number])[] = [
  [{}, 400],
  [{ rate_limit: -1 }, 422],
  [{ rate_limit: 1_000_001 }, 422],
  [{ rate_limit: 1.5 }, 422],
  [{ rate_limit: "5" }, 422],
  [{ name: null }, 422],
  [{ permissions: ["admin"] }, 422],
];

test("only a token's name and limits can be changed, by an administrator of its tenant", async () => {
  const { id, send } = await makeToken();
  for (const [body, status] of WRONG) {
    const answer = await owner.patch(`${TOKENS}/${id}`, body);
    assert.equal(answer.status, status, JSON.stringify(body));
  }
  const path = `${TOKENS}/${id}`;
  assert.equal((await send(path, sending("PATCH", '{"rate_limit":0}'))).status, 403);
  assert.equal((await owner.patch(`${TOKENS}/${NOBODY}`, { rate_limit: 0 })).status, 404);
});

test("a partner's limit is set by the tenant and shown in the partner's responses", async () => {
  const partner = await partnerOf(owner, { rate_limit: 2 });
  const path = `${PARTNERS}/${partner.partner_id}`;
  clock.at_ms += 59_000 - (clock.at_ms % MINUTE_ms);
  const me = () => partner.get("/crm/partner/me");
  assert.deepEqual(told(await me()), [2, 60, 1, 1]);
  // All tokens of a partner share one count.
  const again = withToken(owner, ok(await askToken(owner, partner)).body.access_token);
  assert.deepEqual(told(await again.get("/crm/partner/leads")), [2, 60, 0, 1]);
  const refused = await me();
  assert.deepEqual([refused.status, told(refused)], [429, [2, 60, 0, 1]]);
  await eventually(
    async () => (await owner.get("/metrics")).text,
    (text) => /limited_total\{api="partner"\} 1\n/.test(text),
  );
  assert.equal(ok(await owner.patch(path, { rate_limit: 0 })).body.rate_limit, 0);
  assert.equal(told(await me()), undefined);
  assert.equal(ok(await owner.patch(path, { rate_limit: null })).body.rate_limit, null);
  assert.equal(told(await me())?.[0], 6000);
});

test("the client of docs/rate-limits.md waits and gets its response", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/rate-limits.md"), "utf8");
  const [, source = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
  const code = `data:text/javascript,${encodeURIComponent(`export ${source}`)}`;
  const { fetchWithRetry } = (await import(code)) as { fetchWithRetry: typeof fetch };
  const { bearer, send } = await makeToken({ rate_limit: 1 });
  clock.at_ms += 59_000 - (clock.at_ms % MINUTE_ms);
  assert.equal((await send("/crm/leads")).status, 200);
  const headers = { authorization: `Bearer ${bearer}` };
  const asked = fetchWithRetry(`${api.url}/crm/leads`, { headers });
  setTimeout(() => (clock.at_ms += 1000), 500);
  assert.equal((await asked).status, 200);
});

test("replayed responses and 304 are free", async () => {
  const { send } = await makeToken({ rate_limit: 9 });
  const keyed = sending("POST", '{"name":"Ada"}', { "idempotency-key": "k1" });
  const first = ok(await send("/crm/leads", keyed));
  assert.equal(told(first)?.[2], 8);
  const replayed = await send("/crm/leads", keyed);
  assert.equal(replayed.headers.get("idempotency-replayed"), "true");
  assert.equal(told(replayed)?.[2], 8);
  const etag = first.headers.get("etag") ?? "";
  const path = `/crm/leads/${first.body._id}`;
  const same = await send(path, { headers: { "if-none-match": etag } });
  assert.deepEqual([same.status, told(same)?.[2]], [304, 8]);
  assert.equal(told(await send(path))?.[2], 7);
});

test("a client that never waits is admitted as fast as its limit allows, and no faster", async () => {
  const busy: Client = await owner.token(["records:read"]);
  const { send } = await makeToken({ rate_limit: 40 });
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => (await send("/crm/leads?page_size=1")).status),
  );
  assert.equal(statuses.filter((status) => status === 200).length, 40);
  assert.equal((await busy.get("/crm/leads")).status, 200);
});
