/** The second factor: setup, sign-in, single-use codes, recovery, and removal. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { URI, type TOTP } from "otpauth";
import { movableClock } from "../kit/clock.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import {
  cookieOf,
  follow,
  ownerOf,
  pageOf,
  PASSWORD,
  signIn,
  tokenIn,
  type Page,
} from "./people-kit.ts";

/** Only `nextStep` advances the clock. Otherwise, a code's time step could end before the service checks the code. */
const clock = movableClock();
const api = await fileApi({ clock, trustedProxies: ["127.0.0.1"] });

let drawn = 0;
const freshAddress = (): string => `198.51.100.${++drawn}`;

/** Advances the clock by half a minute per step, which changes the code. */
const nextStep = (steps = 1): void => clock.forward_s(steps * 30);

const codeOf = (secret: string, steps = 0): string =>
  (URI.parse(secret) as TOTP).generate({ timestamp: clock.now_ms() + steps * 30_000 });

/** Returns an owner of a separate tenant, with a second factor. */
async function withFactor(email: string) {
  const client = await api.tenant();
  const page = await ownerOf(api, client, email);
  const begun = ok(await page.post("/auth/second_factor", { password: PASSWORD })).body;
  const confirmed = await page.post("/auth/second_factor/confirm", { code: codeOf(begun.uri) });
  const codes: string[] = ok(confirmed).body.recovery_codes;
  nextStep(2);
  const enter = (body: object = {}) => signIn(client, { email, ...body }, { from: freshAddress() });
  return { client, page, uri: begun.uri as string, codes, enter, email };
}

test("a secret takes effect when a code of it is confirmed, and is stored sealed", async () => {
  const client = await api.tenant();
  const email = "begun@example.com";
  const page = await ownerOf(api, client, email);
  const begun = ok(await page.post("/auth/second_factor", { password: PASSWORD })).body;
  assert.match(begun.uri, /^otpauth:\/\/totp\/Leadport:begun%40example\.com\?issuer=Leadport&/);
  assert.ok(begun.uri.includes(begun.secret));
  assert.equal((await signIn(client, { email })).status, 200);
  const wrong = await page.post("/auth/second_factor/confirm", { code: "abcdef" });
  assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ["body", "code"]]);
  const code = codeOf(begun.uri);
  const { recovery_codes } = ok(await page.post("/auth/second_factor/confirm", { code })).body;
  assert.equal(new Set(recovery_codes).size, 10);
  const told = ok(await page.get("/auth/session")).body.person;
  assert.deepEqual([told.has_second_factor, told.recovery_codes_left], [true, 10]);
  const [row] = await api.sql`select to_jsonb(p)::text as row from people p where email = ${email}`;
  for (const secret of [begun.secret, ...recovery_codes]) assert.ok(!row?.["row"].includes(secret));
  assert.ok(!api.log().includes(begun.secret));
  const again = await page.post("/auth/second_factor/confirm", { code: codeOf(begun.uri, 1) });
  assert.equal(again.status, 409);
  assert.equal((await page.post("/auth/second_factor", { password: PASSWORD })).status, 409);
});

test("the code is requested after the correct password, and not before", async () => {
  const { enter, uri } = await withFactor("asked@example.com");
  const wrong = await enter({ password: "wrong" });
  assert.deepEqual(wrong.body, { detail: "Wrong email or password" });
  const asked = await enter();
  assert.deepEqual(
    [asked.status, asked.body],
    [
      401,
      {
        detail: "Enter a code from your authenticator app, or a recovery code",
        second_factor: true,
      },
    ],
  );
  const wrongCode = await enter({ code: "000000" });
  assert.equal(wrongCode.status, 401);
  assert.equal(wrongCode.body.second_factor, true);
  assert.notEqual(wrongCode.body.detail, asked.body.detail);
  assert.equal(wrongCode.headers.getSetCookie().length, 0);
  const spaced = codeOf(uri).replace(/(...)/, "$1 ");
  assert.equal((await enter({ code: spaced })).status, 200);
});

test("a code is accepted once, and no earlier one after it", async () => {
  const { enter, uri } = await withFactor("replay@example.com");
  const code = codeOf(uri);
  const tries = await Promise.all([enter({ code }), enter({ code }), enter({ code })]);
  const counts = Object.groupBy(tries, ({ status }) => String(status));
  assert.deepEqual([counts["200"]?.length, counts["401"]?.length], [1, 2]);
  assert.equal((await enter({ code: codeOf(uri, -1) })).status, 401);
  // Clocks may differ by one step, but no more.
  assert.equal((await enter({ code: codeOf(uri, 2) })).status, 401);
  assert.equal((await enter({ code: codeOf(uri, 1) })).status, 200);
});

test("a recovery code works once, however it is written", async () => {
  const { enter, codes, client } = await withFactor("recover@example.com");
  const [first = "", second = ""] = codes;
  assert.match(first, /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
  const answer = ok(await enter({ recovery_code: first.toUpperCase().replaceAll("-", " ") }));
  assert.equal(answer.body.person.recovery_codes_left, 9);
  assert.equal((await enter({ recovery_code: first })).status, 401);
  const page = pageOf(client, cookieOf(answer));
  const renewed = await page.post("/auth/second_factor/recovery_codes", { password: PASSWORD });
  assert.equal(ok(renewed).body.recovery_codes.length, 10);
  assert.equal((await enter({ recovery_code: second })).status, 401);
});

test("wrong codes count like wrong passwords", async () => {
  const { client, email, uri } = await withFactor("counted@example.com");
  const from = freshAddress();
  for (let at = 0; at < 5; at++) {
    assert.equal((await signIn(client, { email, code: "00000x" }, { from })).status, 401);
  }
  assert.equal((await signIn(client, { email, code: codeOf(uri) }, { from })).status, 429);
  const elsewhere = { from: freshAddress() };
  assert.equal((await signIn(client, { email, code: codeOf(uri) }, elsewhere)).status, 200);
});

test("it is removed with the password and a code, and nothing less", async () => {
  const { page, uri, codes, enter } = await withFactor("removed@example.com");
  const remove = (body: object) => page.post("/auth/second_factor/remove", body);
  const places = async (body: object) => {
    const answer = await remove(body);
    assert.equal(answer.status, 422, answer.text);
    return answer.body.detail[0].loc.join(".");
  };
  const code = () => codeOf(uri);
  assert.equal(await places({ password: "wrong", code: code() }), "body.password");
  assert.equal(await places({ password: PASSWORD, code: "00000x" }), "body.code");
  assert.equal(await places({ password: PASSWORD }), "body.recovery_code");
  assert.deepEqual(ok(await remove({ password: PASSWORD, recovery_code: codes[3] })).body, {
    removed: true,
  });
  assert.equal((await remove({ password: PASSWORD, code: code() })).status, 409);
  assert.equal((await enter()).status, 200);
  const told = ok(await page.get("/auth/session")).body.person;
  assert.deepEqual([told.has_second_factor, told.recovery_codes_left], [false, 0]);
});

test("a reset link requires it, too: access to the email alone is not enough", async () => {
  const { client, page, uri, enter } = await withFactor("reset@example.com");
  const { id } = ok(await page.get("/auth/session")).body.person;
  const { link } = ok(await client.post(`/crm/admin/people/${id}/link`)).body;
  const token = tokenIn(link);
  const looked = ok(await pageOf(client).post("/auth/links/look", { token })).body;
  assert.equal(looked.has_second_factor, true);
  const password = "a password that is new";
  const use = (body: object): ReturnType<Page["post"]> =>
    pageOf(client).post("/auth/links/use", { token, password, ...body });
  const asked = await use({});
  assert.deepEqual([asked.status, asked.body.second_factor], [401, true]);
  assert.equal((await use({ code: "00000x" })).status, 401);
  assert.equal((await enter({ code: "00000x" })).body.second_factor, true);
  ok(await use({ code: codeOf(uri) }));
  assert.equal((await enter()).body.detail, "Wrong email or password");
  assert.equal((await enter({ password })).body.second_factor, true);
});

test("an administrator removes it for a user who has lost it", async () => {
  const { page, client } = await withFactor("lost@example.com");
  const { id } = ok(await page.get("/auth/session")).body.person;
  const path = `/crm/admin/people/${id}/second_factor`;
  const admin = await client.token(["admin"]);
  assert.equal((await admin.delete(path)).status, 403);
  assert.equal(ok(await client.delete(path)).body.has_second_factor, false);
  assert.equal((await client.delete(path)).status, 409);
  assert.equal((await signIn(client, { email: "lost@example.com" })).status, 200);
});

test("no user removes their own without the password, or creates a reset link for themselves", async () => {
  const { page } = await withFactor("own@example.com");
  const { id } = ok(await page.get("/auth/session")).body.person;
  assert.equal((await page.delete(`/crm/admin/people/${id}/second_factor`)).status, 403);
  assert.equal((await page.post(`/crm/admin/people/${id}/link`)).status, 403);
  const { person } = ok(await page.get("/auth/session")).body;
  assert.equal(person.has_second_factor, true);
});

test("a suspended user is asked for no code: the password opens nothing", async () => {
  const client = await api.tenant();
  const owner = await ownerOf(api, client, "suspender@example.com");
  const user = { name: "Eve", email: "suspended@example.com", role: "viewer" };
  const { id, link } = ok(await owner.post("/crm/admin/people", user)).body;
  const page = await follow(client, tokenIn(link as string));
  const { uri } = ok(await page.post("/auth/second_factor", { password: PASSWORD })).body;
  ok(await page.post("/auth/second_factor/confirm", { code: codeOf(uri) }));
  ok(await owner.patch(`/crm/admin/people/${id}`, { status: "suspended" }));
  const enter = (body: object) =>
    signIn(client, { email: user.email, ...body }, { from: freshAddress() });
  const right = await enter({});
  const wrong = await enter({ password: "wrong" });
  assert.deepEqual([right.status, right.body], [401, wrong.body]);
});
