/** The addresses from which a partner may call, and the limits on guessing access codes. */

import assert from "node:assert/strict";
import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { test, type TestContext } from "node:test";
import { forgetAttempts } from "../../../src/limits/attempts.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../../api/own-app.ts";
import { ok } from "../../api/samples.ts";
import {
  askToken,
  makePartner,
  partnerOf,
  PARTNERS,
  type Credentials,
  type PartnerClient,
} from "../partner-kit.ts";
import { noteStatements } from "../../kit/sql.ts";
import { file } from "../../kit/started.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [Buffer.alloc(32, 7)] };
const api = await fileApi({ trustedProxies: ["127.0.0.1"], keys });
const acme = await api.tenant();
const bare = await startOwnApp(file, { url: api.databaseUrl, keys });

const NOBODY = "6b00a22b870ca000ec6e9532";
const UNAUTHENTICATED = { detail: "Not authenticated" };

/** Returns an address that no other test uses. */
let drawn = 0;
const freshAddress = (): string => `198.51.${100 + (drawn >> 8)}.${drawn++ & 0xff}`;

const asked = async (credentials: Credentials, from?: string): Promise<number> =>
  (await askToken(acme, credentials, from)).status;

const called = async (partner: PartnerClient, from: string): Promise<number> =>
  (
    await partner.request({
      method: "GET",
      path: "/crm/partner/me",
      headers: { "x-forwarded-for": from },
    })
  ).status;

const LISTS: readonly (readonly [
  list: readonly string[],
  open: readonly string[],
  shut: readonly string[],
])[] = [
  [
    ["192.0.2.7"],
    ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207"],
    ["192.0.2.8", "2001:db8::1", "unknown", "::ffff:192.0.2.8"],
  ],
  [
    ["192.0.2.0/24", "10.0.0.0/8"],
    ["192.0.2.255", "10.200.1.1", "::ffff:10.1.2.3"],
    ["192.0.3.0", "11.0.0.1"],
  ],
  [["2001:db8::/32"], ["2001:db8::1", "2001:0DB8:ffff::"], ["2001:db9::1", "192.0.2.1"]],
  [[], ["192.0.2.1", "2001:db8::1", "unknown"], []],
];

for (const [list, open, shut] of LISTS) {
  test(`a partner with the list [${list.join(", ")}] calls from there only`, async () => {
    const partner = await partnerOf(acme);
    ok(await acme.patch(`${PARTNERS}/${partner.partner_id}`, { ip_allow_list: list }));
    for (const from of open) {
      assert.equal(await called(partner, from), 200, from);
      assert.equal(await asked(partner, from), 200, from);
    }
    for (const from of shut) {
      assert.equal(await called(partner, from), 403, from);
      assert.equal(await asked(partner, from), 403, from);
    }
  });
}

test("only a client with the right code sees that its address is not on the list", async () => {
  const { partner_id, access_code } = await makePartner(acme, { ip_allow_list: ["192.0.2.7"] });
  const refused = await askToken(acme, { partner_id, access_code }, freshAddress());
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body, { detail: "This credential is not allowed from this IP address" });
  const wrong = await askToken(acme, { partner_id, access_code: "x" }, freshAddress());
  assert.deepEqual([wrong.status, wrong.body], [401, UNAUTHENTICATED]);
  // Codes sent from an address that is not allowed are not counted as wrong codes, so such requests never cause a 429.
  const from = freshAddress();
  for (let at = 0; at < 7; at++) assert.equal(await asked({ partner_id, access_code }, from), 403);
});

test("a changed list applies to issued tokens at once, in every process", async () => {
  const partner = await partnerOf(acme);
  const path = `${PARTNERS}/${partner.partner_id}`;
  const elsewhere = async () => {
    const headers = { authorization: `Partner ${partner.token}` };
    const answer = await fetch(`${bare.url}/crm/partner/me`, { headers });
    return (await answer.text(), answer.status);
  };
  assert.deepEqual([await called(partner, "192.0.2.9"), await elsewhere()], [200, 200]);
  ok(await acme.patch(path, { ip_allow_list: ["192.0.2.7"] }));
  assert.deepEqual([await called(partner, "192.0.2.9"), await elsewhere()], [403, 403]);
  assert.equal(await called(partner, "192.0.2.7"), 200);
  ok(await acme.patch(path, { ip_allow_list: [] }));
  assert.deepEqual([await called(partner, "192.0.2.9"), await elsewhere()], [200, 200]);
});

test("an address that a client claims is not believed", async () => {
  const partner = await partnerOf(acme);
  ok(await acme.patch(`${PARTNERS}/${partner.partner_id}`, { ip_allow_list: ["192.0.2.7"] }));
  const headers = { "x-forwarded-for": "192.0.2.7", authorization: `Partner ${partner.token}` };
  assert.equal((await fetch(`${bare.url}/crm/partner/me`, { headers })).status, 403);
  // Behind a trusted proxy, the service uses the address that the proxy saw, not the one that the caller put first in
  // the header.
  assert.equal(await called(partner, "192.0.2.7, 203.0.113.9"), 403);
  assert.equal(await called(partner, "203.0.113.9, 192.0.2.7"), 200);
});

test("a claimed address gives no more guesses", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const guess = async (code: string, claimed: string) => {
    const answer = await fetch(`${bare.url}/crm/partner/token`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": claimed },
      body: JSON.stringify({ partner_id, access_code: code }),
    });
    return (await answer.text(), answer.status);
  };
  for (let at = 0; at < 5; at++) assert.equal(await guess("x", `203.0.113.${at}`), 401);
  assert.equal(await guess("x", "203.0.113.200"), 429);
  assert.equal(await guess(access_code, "203.0.113.201"), 429);
});

/** Sends a number of wrong codes. Each returns a 401 without details. */
async function guessWrong(partner_id: string, from: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    const answer = await askToken(acme, { partner_id, access_code: `wrong ${at}` }, from);
    assert.deepEqual([answer.status, answer.body], [401, UNAUTHENTICATED], `guess ${at}`);
  }
}

test("five wrong codes end the guessing from there, and from nowhere else", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const right = { partner_id, access_code };
  const from = freshAddress();
  const other = freshAddress();
  await guessWrong(partner_id, from, 4);
  assert.equal(await asked(right, from), 200);
  await guessWrong(partner_id, from, 1);
  for (const credentials of [{ partner_id, access_code: "x" }, right]) {
    const blocked = await askToken(acme, credentials, from);
    assert.equal(blocked.status, 429);
    assert.deepEqual(Object.keys(blocked.body), ["detail"]);
    const wait_s = Number(blocked.headers.get("retry-after"));
    assert.ok(wait_s > 880 && wait_s <= 900, `Retry-After: ${wait_s}`);
  }
  assert.equal(await asked(right, other), 200);
  assert.equal(await asked(await makePartner(acme), from), 200);
});

test("an issued token stays valid while its partner's codes are being guessed", async () => {
  const partner = await partnerOf(acme);
  const from = freshAddress();
  await guessWrong(partner.partner_id, from, 5);
  assert.equal(await asked(partner, from), 429);
  assert.equal(await called(partner, from), 200);
});

for (const [who, partner_id] of [
  ["an unknown id", NOBODY],
  ["a text that is no id", "anna's'; --"],
] as const) {
  test(`${who} is blocked like a partner's, so that 429 reveals nothing`, async () => {
    const from = freshAddress();
    await guessWrong(partner_id, from, 5);
    assert.equal(await asked({ partner_id, access_code: "x" }, from), 429);
    assert.equal(await asked({ partner_id, access_code: "x" }, freshAddress()), 401);
  });
}

test("a suspended partner's right code counts as a wrong one", async () => {
  const { partner_id, access_code } = await makePartner(acme, { status: "suspended" });
  const from = freshAddress();
  for (let at = 0; at < 5; at++) assert.equal(await asked({ partner_id, access_code }, from), 401);
  assert.equal(await asked({ partner_id, access_code }, from), 429);
});

test("one address counts as one, in every spelling", async () => {
  const { partner_id } = await makePartner(acme);
  const spellings = ["198.18.0.1", "::ffff:198.18.0.1", "::FFFF:c612:1", "::ffff:c612:0001"];
  for (const from of spellings) await guessWrong(partner_id, from, 1);
  await guessWrong(partner_id, "0:0:0:0:0:ffff:198.18.0.1", 1);
  for (const from of spellings) {
    assert.equal(await asked({ partner_id, access_code: "x" }, from), 429, from);
  }
});

for (const from of ["unknown", "fe80::1%eth0", "_hidden"]) {
  test(`guesses from "${from}", which is no address, are counted, too`, async () => {
    const { partner_id, access_code } = await makePartner(acme);
    assert.equal(await asked({ partner_id, access_code }, from), 200);
    await guessWrong(partner_id, from, 5);
    assert.equal(await asked({ partner_id, access_code }, from), 429);
  });
}

test("of many concurrent guesses at most five are tried", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const from = freshAddress();
  const guesses = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      asked({ partner_id, access_code: at < 39 ? `guess ${at}` : access_code }, from),
    ),
  );
  const counts = Object.groupBy(guesses, String);
  assert.equal(counts["401"]?.length, 5);
  assert.equal((counts["429"]?.length ?? 0) + (counts["200"]?.length ?? 0), 35);
  const [row] = await api.sql`
    select count(*)::integer as count from wrong_attempts where target = ${targetOf(partner_id)}`;
  assert.equal(row?.["count"], 5);
});

/** Returns the hash under which a partner's wrong codes are counted. */
const targetOf = (partner_id: string) =>
  createHash("sha256").update(`partner ${partner_id}`).digest();

/** Moves the times of a partner's wrong codes into the past. */
const age = (partner_id: string, seconds: number) => api.sql`
  update wrong_attempts set at = at - ${seconds} * interval '1 second'
   where target = ${targetOf(partner_id)}`;

test("after fifteen minutes a wrong code no longer counts, and is deleted", async () => {
  const { partner_id, access_code } = await makePartner(acme);
  const from = freshAddress();
  const right = { partner_id, access_code };
  await guessWrong(partner_id, from, 1);
  await age(partner_id, 600);
  await guessWrong(partner_id, from, 4);
  const blocked = await askToken(acme, right, from);
  assert.equal(blocked.status, 429);
  // The oldest of the five wrong codes is ten minutes old.
  const wait_s = Number(blocked.headers.get("retry-after"));
  assert.ok(wait_s > 280 && wait_s <= 300, `Retry-After: ${wait_s}`);
  await age(partner_id, 301);
  assert.equal(await asked(right, from), 200);
  await guessWrong(partner_id, from, 1);
  assert.equal(await asked(right, from), 429);
  const left = () => api.sql`select from wrong_attempts where target = ${targetOf(partner_id)}`;
  // Wrong codes are stored for the period of the longest limit.
  await forgetAttempts(api.sql);
  assert.equal((await left()).length, 6);
  await age(partner_id, 3600);
  await forgetAttempts(api.sql);
  assert.equal((await left()).length, 0);
});

/** Returns the work for a wrong code: its statements, of which the last one stores the attempt, and its comparisons. */
async function workOf(t: TestContext, partner_id: string) {
  const { sent, wrap } = noteStatements();
  const own = await startOwnApp(t, { url: api.databaseUrl, keys, wrap });
  const compare = t.mock.method(crypto, "timingSafeEqual");
  syncBuiltinESMExports();
  const body = JSON.stringify({ partner_id, access_code: "x".repeat(40) });
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${own.url}/crm/partner/token`, { method: "POST", headers, body });
  assert.equal(status, 401);
  compare.mock.restore();
  syncBuiltinESMExports();
  const store = sent.pop()?.trim();
  return { statements: sent, store, comparisons: compare.mock.callCount() };
}

test("a wrong id takes the same work as a wrong code, so no response time distinguishes them", async (t) => {
  const { partner_id } = await makePartner(acme);
  const nobody = await workOf(t, NOBODY);
  const partner = await workOf(t, partner_id);
  assert.deepEqual(nobody.statements, partner.statements);
  assert.match(nobody.store ?? "", /^insert into attempts_of_address /);
  assert.match(partner.store ?? "", /^insert into wrong_attempts /);
  assert.deepEqual([nobody.comparisons, partner.comparisons], [1, 1]);
});
