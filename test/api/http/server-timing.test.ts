/**
 * Server-Timing: with `Prefer: timing` in the request, the response shows how long each stage took. The stages add up
 * to the total.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { partnerOf } from "../../exchange/partner-kit.ts";
import type { Answer, Client, RawRequest } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import { newKey } from "../keys/keyed-samples.ts";
import { ok } from "../samples.ts";

const api = await fileApi();
const acme = await api.tenant();
const { body: lead } = ok(await acme.post("/crm/leads", { name: "Ada" }));

const AUTH = ["auth", "total"];
const UNASKED = ["auth", "plan", "send", "total"];
const ASKED = ["auth", "plan", "database", "work", "send", "total"];
const JSON_BODY = { "content-type": "application/json" };

/** Returns a response's stages in milliseconds, in order, or undefined if it shows none. */
function stagesOf({ headers }: Answer): Readonly<Record<string, number>> | undefined {
  const told = headers.get("server-timing");
  if (told === null) return undefined;
  return Object.fromEntries(
    told.split(", ").map((metric) => {
      const [, name = "", took = ""] = /^(\w+);dur=(\d+\.\d\d)$/.exec(metric) ?? [];
      return [name, Number(took)];
    }),
  );
}

const askTimed = (client: Pick<Client, "request">, request: RawRequest, prefer = "timing") =>
  client.request({ ...request, headers: { prefer, ...request.headers } });

/** Asserts that a response has these stages and that they add up to the total, apart from rounding. */
function check(answer: Answer, status: number, names: readonly string[]) {
  assert.equal(answer.status, status, answer.text);
  const { total, ...stages } = stagesOf(answer) ?? {};
  assert.deepEqual([...Object.keys(stages), "total"], names);
  const sum = Object.values(stages).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum - Number(total)) < 0.05, `${sum} is not ${total}`);
}

const get = (path: string, headers: Record<string, string | null> = {}): RawRequest => ({
  method: "GET",
  path,
  headers,
});
const send = (method: string, path: string, body: unknown, headers = {}): RawRequest => ({
  method,
  path,
  headers: { ...JSON_BODY, ...headers },
  body: JSON.stringify(body),
});
const leadPath = `/crm/leads/${lead._id}`;

const CASES: Readonly<Record<string, readonly [RawRequest, number, readonly string[]]>> = {
  "a page": [get("/crm/leads"), 200, ASKED],
  "a page by HEAD": [{ method: "HEAD", path: "/crm/leads" }, 200, ASKED],
  "a window": [get("/crm/leads/created"), 200, ASKED],
  "a stream of changes": [get("/crm/changes/stream"), 200, ASKED],
  "a record that the caller has": [get(leadPath, { "if-none-match": "*" }), 304, ASKED],
  "a creation": [send("POST", "/crm/leads", { name: "Bo" }), 200, ASKED],
  "a creation with a key": [
    send("POST", "/crm/leads", { name: "Bo" }, { "idempotency-key": newKey() }),
    200,
    ASKED,
  ],
  "a batch": [send("POST", "/crm/leads/batch", { items: [{ name: "Bo" }] }), 207, ASKED],
  "a change": [send("PATCH", leadPath, { tags: ["new"] }), 200, ASKED],
  "what names a record that is not there": [
    send("POST", "/crm/opportunities", { name: "Yacht", account_id: "0".repeat(24) }),
    422,
    ASKED,
  ],
  "what is not found": [get(`/crm/leads/${"0".repeat(24)}`), 404, ASKED],
  "what is refused before it is asked": [get("/crm/leads?page_size=0"), 422, UNASKED],
};

for (const [what, [request, status, names]] of Object.entries(CASES)) {
  test(`${what} shows its stages on request, and not otherwise`, async () => {
    assert.equal(stagesOf(await acme.request(request)), undefined);
    const other = { ...request.headers };
    if ("idempotency-key" in other) other["idempotency-key"] = newKey();
    check(await askTimed(acme, { ...request, headers: other }), status, names);
  });
}

test("a partner sees the stages of its requests, too", async () => {
  const partner = await partnerOf(acme, { permissions: ["lookup"] });
  const lookup = send("POST", "/crm/partner/lookup", { email: "ada@example.com" });
  assert.equal(stagesOf(await partner.request(lookup)), undefined);
  check(await askTimed(partner, lookup), 200, ASKED);
});

test("time with a statement in progress counts for the database, including a transaction's own statements", async () => {
  const held_ms = 300;
  const waiting = async (headers = {}): Promise<void> => {
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const holding = api.sql.begin(async (tx) => {
      await tx`select 1 from leads where id = ${lead._id} for update`;
      hold();
      // Hold the lock for this long after the request has started to wait for it.
      await untilLockWaits(api.sql, 1);
      await tx`select pg_sleep(${held_ms / 1000})`;
    });
    await isHeld;
    const change = send("PATCH", leadPath, { profession: newKey() }, headers);
    const answer = await askTimed(acme, change);
    await holding;
    check(answer, 200, ASKED);
    const { database = 0, total = 0 } = stagesOf(answer) ?? {};
    assert.ok(database > held_ms * 0.6, `${database} of ${total}`);
  };
  await waiting();
  await waiting({ "idempotency-key": newKey() });
});

test("the preference is recognized among others, in any case, and only as a whole word", async () => {
  const counted = await askTimed(acme, get("/crm/leads"), "count=exact, Timing;foo=1");
  check(counted, 200, ASKED);
  assert.match(counted.headers.get("x-total-count") ?? "", /^\d+$/);
  for (const prefer of ["timings", "no-timing", "count=exact", "timing=off"]) {
    assert.equal(stagesOf(await askTimed(acme, get("/crm/leads"), prefer)), undefined);
  }
});

test("a caller without permission sees its own part, and an unknown one nothing", async () => {
  const reader = await acme.token(["audit:read"]);
  check(await askTimed(reader, get("/crm/leads")), 403, AUTH);
  const nobody = await askTimed(acme, get("/crm/leads", { authorization: null }));
  assert.deepEqual([nobody.status, stagesOf(nobody)], [401, undefined]);
  const wrong = { partner_id: "0".repeat(24), access_code: "x".repeat(32) };
  const token = send("POST", "/crm/partner/token", wrong, { authorization: null });
  const refused = await askTimed(acme, token);
  assert.deepEqual([refused.status, stagesOf(refused)], [401, undefined]);
});
