/** Passwords: the same amount of work for unknown accounts, a fair queue for checks, and up-to-date hash parameters. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import type { FastifyRequest } from "fastify";
import pino from "pino";
import {
  createPasswords,
  isOutdated,
  PASSWORD_HASH,
  PASSWORD_LENGTH,
  passwordFaults,
} from "../../src/people/credentials/passwords.ts";
import { createHttp } from "../../src/platform/http/http.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { ownerOf, PASSWORD, signIn } from "./people-kit.ts";
import { atEnd } from "../kit/started.ts";

const api = await fileApi({ trustedProxies: ["127.0.0.1"] });

/** Returns the parts of a request that the queue uses. */
const requestFrom = (ip: string) => ({ ip, raw: { socket: { destroyed: false } } }) as never;
const LOCAL = requestFrom("127.0.0.1");

/**
 * Returns a password checker whose checks wait for `gate`. Counts the checks and records the maximum number of
 * concurrent checks.
 */
function gatedPasswords() {
  const gate = Promise.withResolvers<void>();
  const seen = { checked: 0, most: 0 };
  let running = 0;
  const passwords = createPasswords({
    hash: async () => "hash",
    verify: async () => {
      seen.checked += 1;
      seen.most = Math.max(seen.most, ++running);
      await gate.promise;
      await sleep(0);
      running -= 1;
      return true;
    },
  });
  const check = (ip: string) => passwords.matches(requestFrom(ip), "hash", "");
  return { gate, seen, passwords, check };
}

test("a hash is Argon2id with the parameters of the guide", async () => {
  const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(
    await createPasswords().hash(LOCAL, PASSWORD),
  );
  assert.deepEqual([algorithm, memoryCost, timeCost, parallelism], [2, 19_456, 2, 1]);
});

test("for an unknown account a password is checked as for a known one, and is wrong", async () => {
  const verified: string[] = [];
  const passwords = createPasswords({
    hash: (password) => hash(password),
    verify: (stored, password) => {
      verified.push(stored);
      return verify(stored, password);
    },
  });
  const stored = await passwords.hash(LOCAL, PASSWORD);
  assert.equal(await passwords.matches(LOCAL, stored, PASSWORD), true);
  assert.equal(await passwords.matches(LOCAL, stored, "wrong"), false);
  for (const none of [undefined, null]) {
    assert.equal(await passwords.matches(LOCAL, none, ""), false);
  }
  assert.equal(verified.length, 4);
  const [options, dummy] = [verified[0] ?? "", verified[2] ?? ""].map((text) => parseOptions(text));
  assert.deepEqual(dummy, options);
});

test("two are checked at once, a hundred wait, and the next receives 429", async () => {
  const { gate, seen, check } = gatedPasswords();
  const waiting = Array.from({ length: 102 }, (_, at) => check(`192.0.2.${at}`));
  await assert.rejects(check("198.51.100.1"), { code: "too_busy", status: 503 });
  gate.resolve();
  assert.ok((await Promise.all(waiting)).every((right) => right));
  assert.equal(seen.most, 2);
  assert.equal(await check("198.51.100.1"), true);
});

test("an address has five places in the queue, a /56 of IPv6 ten and a /48 twenty", async () => {
  for (const [most, address] of [
    [5, () => "192.0.2.1"],
    [5, (at: number) => `2001:db8:0:1::${at}`],
    [10, (at: number) => `2001:db8:1:${at.toString(16)}::1`],
    [20, (at: number) => `2001:db8:2:${at.toString(16)}00::1`],
  ] as const) {
    const { gate, check } = gatedPasswords();
    const waiting = Array.from({ length: most }, (_, at) => check(address(at)));
    await assert.rejects(check(address(most)), {
      code: "too_many_passwords",
      status: 429,
      headers: { "retry-after": "1" },
    });
    const other = check("198.51.100.1");
    gate.resolve();
    assert.ok((await Promise.all([...waiting, other])).every((right) => right));
    assert.equal(await check(address(most)), true);
  }
});

test("concurrent guesses from one address leave places for others, and end with a clear 429", async () => {
  const acme = await api.tenant();
  const email = "crowd@example.com";
  await ownerOf(api, acme, email);
  // A check that takes 0.3 s instead of 13 ms, which gives the other requests time to arrive.
  const costly = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 50, parallelism: 1 });
  await api.sql`update people set password_hash = ${costly} where email = ${email}`;
  const guesses = Array.from({ length: 30 }, (_, at) =>
    signIn(acme, { email, password: `guess ${at}` }, { from: "192.0.2.30" }),
  );
  ok(await signIn(acme, { email }, { from: "192.0.2.31" }));
  const answers = Object.groupBy(await Promise.all(guesses), ({ status }) => String(status));
  assert.equal(answers["401"]?.length, 5);
  assert.equal(answers["429"]?.length, 25);
  const refused = answers["429"].filter(({ headers }) => headers.get("retry-after") === "1");
  assert.ok(refused.length > 0);
  for (const { body } of refused) {
    assert.match(body.detail, /^Too many sign-in attempts from your network are in progress/);
  }
});

test("of many concurrent guesses no more than five are checked", async () => {
  const acme = await api.tenant();
  const from = "192.0.2.50";
  const email = "many@example.com";
  await ownerOf(api, acme, email);
  const tries = Array.from({ length: 12 }, (_, at) =>
    // A guess is not checked while its network's slots are all taken, so it is sent again.
    eventually(
      () => signIn(acme, { email, password: at < 11 ? `guess ${at}` : PASSWORD }, { from }),
      ({ headers }) => headers.get("retry-after") !== "1",
    ),
  );
  const counts = Object.groupBy(await Promise.all(tries), ({ status }) => String(status));
  assert.equal(counts["401"]?.length, 5);
});

test("correct passwords of one account are limited per network too", async () => {
  const client = await api.tenant();
  const from = "192.0.2.40";
  const elsewhere = "192.0.2.41";
  const email = "often@example.com";
  await ownerOf(api, client, email);
  await api.sql`
    insert into wrong_attempts (target, address, at)
    select sha256(${`password ${email}`}::bytea), ${from}, clock_timestamp()
      from generate_series(1, 57)`;
  for (let at = 57; at < 60; at++) ok(await signIn(client, { email }, { from }));
  for (const password of [PASSWORD, "wrong"]) {
    const refused = await signIn(client, { email, password }, { from });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 800);
  }
  // Neither other accounts nor other networks are affected.
  const rival = await api.tenant();
  await ownerOf(api, rival, "seldom@example.com");
  ok(await signIn(rival, { email: "seldom@example.com" }, { from }));
  ok(await signIn(client, { email }, { from: elsewhere }));
});

test("a request whose client has disconnected while it waits is dropped from the queue", async (t) => {
  const { gate, seen, passwords } = gatedPasswords();
  const app = createHttp({ log: pino({ level: "silent" }), trustedProxies: [] });
  const state = { arrived: 0, dropped: 0 };
  const handler = (request: FastifyRequest) => {
    state.arrived += 1;
    return passwords.matches(request, "hash", "").catch((error: unknown) => {
      state.dropped += 1;
      throw error;
    });
  };
  app.route({ method: "GET", url: "/check", handler });
  atEnd(t, () => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const clients = new AbortController();
  const send = (count: number, signal?: AbortSignal) =>
    Array.from({ length: count }, async () => {
      const answer = await fetch(`${url}/check`, signal && { signal });
      return answer.text();
    });
  const running = send(2);
  await eventually(
    () => seen.checked,
    (checked) => checked === 2,
  );
  const gone = send(3, clients.signal);
  await eventually(
    () => state.arrived,
    (arrived) => arrived === 5,
  );
  clients.abort();
  await Promise.allSettled(gone);
  await eventually(
    () => state.dropped,
    (dropped) => dropped === 3,
  );
  // The dropped requests no longer occupy slots, although the first two passwords are still being checked.
  const next = send(3);
  await eventually(
    () => state.arrived,
    (arrived) => arrived === 8,
  );
  gate.resolve();
  assert.deepEqual(await Promise.all([...running, ...next]), Array(5).fill("true"));
  assert.equal(seen.checked, 5);
});

/**
 * All 62 passwords from an earlier list of common passwords, and some passwords derived from lists of stolen passwords.
 */
const COMMON =
  `0123456789 0987654321 1111111111 1122334455 1212121212 123123123123 12345678900 1234567890
  12345678901 123456789012 123456789a 1234567891 1234567899 1q2w3e4r5t 1q2w3e4r5t6y
  1qaz2wsx3edc 9876543210 a123456789 abcdefghij administrator asdfghjkl; asdfghjklo
  changeme123 changemenow computer123 football123 hello12345 iloveyou12 iloveyou123
  leadport123 monkey12345 motdepasse password00 password01 password10 password11 password12
  password123 password1234 password12345 password123! passw0rd123 p@ssw0rd123 p@ssword123
  princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedcrfv qwerty1234 qwerty12345 qwerty123456
  qwertyuiop qwertyuiop123 secret1234 sunshine123 superman123 test123456 trustno1trustno1
  welcome123 welcome1234 zaq12wsxcde3 zxcvbnm123
  michelle1985 football2026! 2026sunshine dragon-1234 qwertyuiop1!! monkeymonkey iloveyouiloveyou
  basketball christopher enterprise`.split(/\s+/);

test("common and breached passwords are rejected in any letter case, with spaces and signs around", async () => {
  assert.ok(COMMON.length > 70);
  for (const password of COMMON) {
    assert.ok(password.length >= PASSWORD_LENGTH.minLength, password);
    for (const typed of [password, password.toUpperCase(), ` ${password} `]) {
      const [fault, ...more] = await passwordFaults(typed, { email: "", name: "" });
      assert.match(String(fault?.msg), /this password is too common/, typed);
      assert.deepEqual(more, []);
    }
  }
});

test("a long password of several words, and a random one, are accepted", async () => {
  for (const password of [
    PASSWORD,
    "margaret-and-the-47-sheep",
    "football in the rain",
    "k7#Vq2!mZp9x",
    "Tr0ub4dor&3-x",
    "пароль-из-трёх-слов",
  ]) {
    assert.deepEqual(await passwordFaults(password, { email: "", name: "" }), [], password);
  }
  const self = { email: "ada@example.com", name: "Ada Lovelace" };
  for (const own of ["ADA@example.com", " ada lovelace"]) {
    assert.match(
      String((await passwordFaults(own, self))[0]?.msg),
      /must not be your email or name/,
    );
  }
});

test("the list is loaded when a password is set, and not before", () => {
  const script = `
    await import("./src/people/index.ts");
    const { createRequire } = await import("node:module");
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.filter((path) => path.includes("language-common")).length);`;
  const options = { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" } as const;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], options);
  assert.equal(printed.trim(), "0");
});

test("a user whose hash cannot be read does not prevent the sign-in to another tenant", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const email = "shared@example.com";
  await ownerOf(api, acme, email);
  await ownerOf(api, rival, email);
  await api.sql`
    update people set password_hash = 'x' where email = ${email} and tenant_id = ${rival.tenantId}`;
  ok(await signIn(acme, { email }));
});

test("a new hash has the form that tenant files may contain", async () => {
  assert.match(await createPasswords().hash(LOCAL, PASSWORD), new RegExp(PASSWORD_HASH));
});

test("a password that was hashed with other parameters is hashed again at sign-in", async () => {
  const acme = await api.tenant();
  await ownerOf(api, acme, "old@example.com");
  const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 3 });
  assert.ok(isOutdated(old));
  await api.sql`update people set password_hash = ${old} where email = 'old@example.com'`;
  ok(await signIn(acme, { email: "old@example.com" }));
  const [row] = await api.sql`select password_hash from people where email = 'old@example.com'`;
  assert.ok(!isOutdated(String(row?.["password_hash"])));
  ok(await signIn(acme, { email: "old@example.com" }));
});
