/** Wrong second-factor codes, counted per account: pauses, recovery codes, links. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { URI, type TOTP } from "otpauth";
import { movableClock } from "../kit/clock.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok, whenFree } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { createInbox, ownerOf, pageOf, PASSWORD, signIn, tokenIn } from "./people-kit.ts";

const clock = movableClock();
const { inbox, mailer } = createInbox();
const api = await fileApi({ clock, mailer, trustedProxies: ["127.0.0.1"] });

let drawn = 0;
/** Returns an address in a network without other attempts, so that per-address limits do not apply. */
const freshAddress = (): string => `2001:db8:${(++drawn).toString(16)}::1`;

const later = (minutes: number): void => clock.forward_s(minutes * 60);

/** Returns an owner of a separate tenant, with a second factor. */
async function withFactor(name: string) {
  const client = await api.tenant();
  const email = `${name}@example.com`;
  const page = await ownerOf(api, client, email);
  const { uri } = ok(await page.post("/auth/second_factor", { password: PASSWORD })).body;
  const totp = URI.parse(uri as string) as TOTP;
  const right = (): string => totp.generate({ timestamp: clock.now_ms() });
  const confirmed = await page.post("/auth/second_factor/confirm", { code: right() });
  const recovery: string[] = ok(confirmed).body.recovery_codes;
  later(1);
  const enter = (body: object = {}) => signIn(client, { email, ...body }, { from: freshAddress() });
  const { id } = ok(await page.get("/auth/session")).body.person;
  /** Enters wrong codes, each of which is checked. */
  const guess = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      assert.equal((await enter({ code: "00000x" })).status, 401, `guess ${at}`);
    }
  };
  const audited = async (action: string) =>
    ok(await client.get(`/crm/admin/audit?action=${action}`)).body as { fields: object }[];
  const mails = () => inbox.filter(({ to }) => to === email);
  const link = async () =>
    tokenIn(ok(await client.post(`/crm/admin/people/${id}/link`)).body.link as string);
  const useLink = (token: string, body: object) =>
    pageOf(client).post(
      "/auth/links/use",
      { token, password: "a password that is new", ...body },
      { "x-forwarded-for": freshAddress() },
    );
  return { client, page, email, right, recovery, enter, guess, audited, mails, link, useLink };
}

test("ten wrong codes from ten addresses pause the second factor for 15 minutes", async () => {
  const { enter, guess, right, recovery, audited, mails } = await withFactor("paused");
  await guess(9);
  assert.equal((await enter({ code: right() })).status, 200);
  later(1);
  await guess(1);
  for (const code of [right(), "00000x"]) {
    const paused = await enter({ code });
    assert.equal(paused.status, 429);
    assert.equal(paused.body.second_factor, true);
    assert.match(paused.body.detail, /paused for 15 minutes\. Recovery codes still work\.$/);
    const wait_s = Number(paused.headers.get("retry-after"));
    assert.ok(wait_s > 880 && wait_s <= 900, String(wait_s));
  }
  // The password is still checked first, so a response to a wrong password reveals nothing about the pause.
  assert.equal((await enter({ password: "wrong", code: right() })).status, 401);
  assert.equal((await enter()).status, 401);
  assert.equal((await enter({ recovery_code: "wrong" })).status, 401);
  ok(await enter({ recovery_code: recovery[0] }));
  assert.equal((await enter({ code: right() })).status, 429);
  const [entry] = await audited("second_factor_paused");
  assert.deepEqual(Object.keys(entry?.fields ?? {}).toSorted(), ["until_ts", "wrong_codes"]);
  const [mail] = await eventually(mails, ({ length }) => length === 1);
  assert.match(mail?.subject ?? "", /^Your second factor for Tenant \d+ is paused$/);
  assert.match(mail?.text ?? "", /10 wrong codes within 15 minutes/);
  later(15);
  assert.equal((await enter({ code: right() })).status, 200);
});

test("of many concurrent wrong codes no more than ten are checked", async () => {
  const { enter } = await withFactor("crowd");
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => whenFree(() => enter({ code: "00000x" }))),
  );
  const counts = Object.groupBy(answers, ({ status }) => String(status));
  assert.equal(counts["401"]?.length, 10);
  assert.equal(counts["429"]?.length, 20);
});

test("50 wrong codes in a day pause it until a newer link is used", async () => {
  const { enter, guess, right, recovery, audited, mails, link, useLink } = await withFactor("long");
  const old = await link();
  for (let round = 0; round < 5; round++) {
    await guess(10);
    later(16);
  }
  later(16 * 60);
  const paused = await enter({ code: right() });
  // Waiting does not end this pause, so the response is not a 429, which clients would retry.
  assert.equal(paused.status, 403);
  assert.equal(paused.body.second_factor, true);
  assert.equal(paused.headers.get("retry-after"), null);
  assert.match(paused.body.detail, /until you set a new password with a reset link/);
  ok(await enter({ recovery_code: recovery[0] }));
  // A link from before the pause does not end it, because the attacker may have it.
  assert.equal((await useLink(old, { code: right() })).status, 403);
  const token = await link();
  assert.equal((await useLink(token, { code: "00000x" })).status, 401);
  assert.equal((await enter({ code: right() })).status, 403);
  ok(await useLink(token, { code: right() }));
  later(1);
  assert.equal((await enter({ password: "a password that is new", code: right() })).status, 200);
  assert.equal((await audited("second_factor_paused")).length, 5);
  const sent = await eventually(
    () => mails().filter(({ subject }) => subject.includes("paused")),
    ({ length }) => length === 5,
  );
  assert.match(sent.at(-1)?.text ?? "", /50 wrong codes within a day/);
});

test("correct passwords are limited while the second factor is paused, and without a code", async () => {
  const { client, email, guess } = await withFactor("costly");
  await guess(10);
  const from = "198.51.100.7";
  await api.sql`
    insert into wrong_attempts (target, address, at)
    select sha256(${`password ${email}`}::bytea), ${from}, to_timestamp(${clock.now_ms() / 1000})
      from generate_series(1, 56)`;
  const answers = [];
  for (let at = 56; at < 62; at++) {
    const body = at % 2 === 0 ? { email } : { email, code: "00000x" };
    answers.push((await signIn(client, body, { from })).body.detail);
  }
  // The first four attempts checked the password. The last two exceed the limit on password attempts.
  const needed = /^Enter a code/;
  const paused = /^Too many wrong codes: your second factor is paused/;
  const limited = /^Too many attempts/;
  for (const [at, expected] of [needed, paused, needed, paused, limited, limited].entries()) {
    assert.match(answers[at] as string, expected);
  }
});

test("wrong codes count also when the second factor is removed", async () => {
  const { page, enter, guess, right } = await withFactor("remove");
  const remove = (code: string) =>
    page.post(
      "/auth/second_factor/remove",
      { password: PASSWORD, code },
      { "x-forwarded-for": freshAddress() },
    );
  await guess(9);
  assert.equal((await remove("00000x")).status, 422);
  assert.equal((await remove(right())).status, 429);
  assert.equal((await enter({ code: right() })).status, 429);
});

test("a second factor that is set up again starts without wrong codes", async () => {
  const { page, enter, guess, recovery } = await withFactor("again");
  await guess(10);
  const removal = { password: PASSWORD, recovery_code: recovery[0] };
  ok(await page.post("/auth/second_factor/remove", removal));
  const { uri } = ok(await page.post("/auth/second_factor", { password: PASSWORD })).body;
  const code = (): string =>
    (URI.parse(uri as string) as TOTP).generate({ timestamp: clock.now_ms() });
  ok(await page.post("/auth/second_factor/confirm", { code: code() }));
  later(1);
  assert.equal((await enter({ code: code() })).status, 200);
});

test("a link ends after ten wrong codes, which the audit log shows", async () => {
  const { right, audited, link, useLink } = await withFactor("link");
  const token = await link();
  const other = await link();
  for (let at = 0; at < 9; at++) {
    assert.equal((await useLink(token, { code: "00000x" })).status, 401, String(at));
  }
  later(16);
  assert.equal((await useLink(token, { code: "00000x" })).status, 401);
  assert.equal((await useLink(token, { code: right() })).status, 404);
  assert.equal((await audited("link_ended")).length, 1);
  ok(await useLink(other, { code: right() }));
});
