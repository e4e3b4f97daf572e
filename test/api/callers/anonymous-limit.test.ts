/** The per-address limit on requests without a credential. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createAddressCounts } from "../../../src/limits/anonymous-limit.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok } from "../samples.ts";

const clock = { now_ms: () => at_ms };
let at_ms = 1_800_000_000_000 + 20_000;
const LIMIT = 20;
const api = await fileApi({ clock, trustedProxies: ["127.0.0.1"], anonymousRateLimit: LIMIT });
const acme = await api.tenant();

let drawn = 0;
const freshAddress = (): string => `198.51.100.${++drawn}`;

type Headers = Readonly<Record<string, string>>;

const ask = async (path: string, from: string, headers: Headers = {}, body?: object) => {
  const answer = await fetch(api.url + path, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { "x-forwarded-for": from, "content-type": "application/json", ...headers },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** Sends `times` requests and returns how many of them were rejected. */
async function refusals(times: number, request: (at: number) => ReturnType<typeof ask>) {
  let refused = 0;
  for (let at = 0; at < times; at++) refused += (await request(at)).status === 429 ? 1 : 0;
  return refused;
}

test("an address is rejected beyond the limit until the next minute, with the time to wait", async () => {
  const from = freshAddress();
  const paths = ["/openapi.json", "/crm/leads", "/no/such/path", "/auth/session"];
  assert.equal(await refusals(LIMIT, (at) => ask(paths[at % 4] ?? "", from)), 0);
  for (const path of paths) {
    const refused = await ask(path, from);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "40");
    assert.deepEqual(JSON.parse(refused.text), {
      detail: "Too many requests without a credential from your address; try again later",
    });
  }
  assert.equal((await ask("/openapi.json", freshAddress())).status, 200);
  at_ms += 40_000;
  assert.equal((await ask("/openapi.json", from)).status, 200);
});

test("probes are never rejected, and metrics are counted separately", async () => {
  const from = freshAddress();
  for (const path of ["/healthz", "/readyz"]) {
    assert.equal(await refusals(3 * LIMIT, () => ask(path, from)), 0);
  }
  assert.equal(await refusals(LIMIT + 1, () => ask("/openapi.json", from)), 1);
  assert.equal(await refusals(LIMIT + 1, () => ask("/metrics", from)), 1);
  assert.equal((await ask("/healthz", from)).status, 200);
});

test("files of the pages have ten times the allowance", async () => {
  const from = freshAddress();
  assert.equal(await refusals(10 * LIMIT + 1, () => ask("/assets/none.js", from)), 1);
  assert.equal((await ask("/openapi.json", from)).status, 200);
});

test("requests with a credential are not counted, and are served while others are rejected", async () => {
  const from = freshAddress();
  const authorization = `Bearer ${acme.bearer}`;
  assert.equal(await refusals(3 * LIMIT, () => ask("/crm/leads", from, { authorization })), 0);
  assert.equal(await refusals(LIMIT + 1, () => ask("/crm/leads", from)), 1);
  assert.equal((await ask("/crm/leads", from, { authorization })).status, 200);
});

test("a credential on an operation that takes none does not lift the limit", async () => {
  const credentials: readonly Headers[] = [
    { authorization: "Bearer x" },
    { cookie: "a=b; leadport=x" },
  ];
  for (const headers of credentials) {
    const from = freshAddress();
    const codes = { partner_id: "x", access_code: "x" };
    const guess = () => ask("/crm/partner/token", from, headers, codes);
    for (let at = 0; at < LIMIT; at++) {
      assert.doesNotMatch((await guess()).text, /without a credential/);
    }
    assert.match((await guess()).text, /without a credential/);
    const signIn = { email: "ada@example.com", password: "x" };
    assert.match((await ask("/auth/sign_in", from, headers, signIn)).text, /without a cred/);
  }
});

for (const [what, headers] of [
  ["an access token", { authorization: `Bearer lp_${"x".repeat(40)}` }],
  ["a session", { cookie: `leadport=${"x".repeat(40)}` }],
  ["a partner's token", { authorization: `Partner ${"x".repeat(40)}` }],
] as const) {
  test(`an invalid ${what} counts as no credential, and users at the address keep access`, async () => {
    const from = freshAddress();
    const authorization = `Bearer ${acme.bearer}`;
    assert.equal((await ask("/crm/leads", from, { authorization })).status, 200);
    const paths = ["/crm/leads", "/crm/partner/me", "/no/such/path", "/openapi.json"];
    assert.equal(await refusals(LIMIT, (at) => ask(paths[at % 4] ?? "", from, headers)), 0);
    for (const path of paths) assert.equal((await ask(path, from, headers)).status, 429, path);
    assert.equal((await ask("/openapi.json", from)).status, 429);
    assert.equal((await ask("/crm/leads", from, { authorization })).status, 200);
    assert.equal((await ask("/crm/leads", freshAddress(), headers)).status, 401);
  });
}

test("a credential that was valid before is limited after it was revoked, but not after a wrong password", async () => {
  const from = freshAddress();
  const { id, token } = ok(
    await acme.post("/crm/admin/access_tokens", { name: "T", permissions: ["records:read"] }),
  ).body;
  const authorization = `Bearer ${token}`;
  assert.equal((await ask("/crm/leads", from, { authorization })).status, 200);
  const signIn = { email: "ada@example.com", password: "x" };
  assert.equal((await ask("/auth/sign_in", from, { authorization }, signIn)).status, 401);
  assert.equal(await refusals(LIMIT, () => ask("/openapi.json", from)), 1);
  assert.equal((await ask("/crm/leads", from, { authorization })).status, 200);
  ok(await acme.delete(`/crm/admin/access_tokens/${id}`));
  assert.equal((await ask("/crm/leads", from, { authorization })).status, 401);
  assert.equal((await ask("/crm/leads", from, { authorization })).status, 429);
});

test("an IPv6 /48 has four times the limit, whatever its networks", async () => {
  const asked = (at: number) => ask("/openapi.json", `2001:db8:9:${at.toString(16)}::1`);
  // The first requests come from 16 networks within one /56. The next requests come from other networks, each of which
  // is in a different /56.
  assert.equal(await refusals(2 * LIMIT + 5, (at) => asked(at % 16)), 5);
  assert.equal(await refusals(4 * LIMIT, (at) => asked(0x100 * (1 + at))), 2 * LIMIT);
  assert.equal((await ask("/openapi.json", "2001:db8:a::1")).status, 200);
});

test("with more addresses than are remembered, all are served and the oldest are forgotten", () => {
  const counts = createAddressCounts(clock, 100);
  for (let at = 0; at < 1000; at++)
    assert.equal(counts.take(`10.0.${at >> 8}.${at & 255}`, "", 1), undefined);
  assert.equal(counts.size(), 100);
  assert.equal(counts.take("10.0.3.231", "", 1), 60);
  assert.equal(counts.take("10.0.0.0", "", 1), undefined);
  assert.equal(counts.size(), 100);
});
