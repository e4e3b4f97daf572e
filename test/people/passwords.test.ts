/** Passwords: the same work for nobody, few at once, and today's parameters. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import {
  createPasswords,
  isOutdated,
  PASSWORD_LENGTH,
  passwordFaults,
} from "../../src/people/passwords.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { ownerOf, PASSWORD, signIn } from "./people-kit.ts";

const api = await fileApi();

test("a hash is Argon2id with the parameters of the guide", async () => {
  const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(
    await createPasswords().hash(PASSWORD),
  );
  assert.deepEqual([algorithm, memoryCost, timeCost, parallelism], [2, 19_456, 2, 1]);
});

test("for nobody a password is verified as for somebody, and is wrong", async () => {
  const verified: string[] = [];
  const passwords = createPasswords({
    hash: (password) => hash(password),
    verify: (stored, password) => {
      verified.push(stored);
      return verify(stored, password);
    },
  });
  const stored = await passwords.hash(PASSWORD);
  assert.equal(await passwords.matches(stored, PASSWORD), true);
  assert.equal(await passwords.matches(stored, "wrong"), false);
  for (const none of [undefined, null]) assert.equal(await passwords.matches(none, ""), false);
  assert.equal(verified.length, 4);
  const [options, dummy] = [verified[0] ?? "", verified[2] ?? ""].map((text) => parseOptions(text));
  assert.deepEqual(dummy, options);
});

test("two are checked at once, a hundred wait, and the next is told to come again", async () => {
  let [running, most] = [0, 0];
  const gate = Promise.withResolvers<void>();
  const passwords = createPasswords({
    hash: async () => "hash",
    verify: async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      await sleep(0);
      running -= 1;
      return true;
    },
  });
  const waiting = Array.from({ length: 102 }, () => passwords.matches("hash", ""));
  await sleep(5);
  await assert.rejects(passwords.matches("hash", ""), { code: "too_busy", status: 503 });
  gate.resolve();
  assert.ok((await Promise.all(waiting)).every((right) => right));
  assert.equal(most, 2);
  assert.equal(await passwords.matches("hash", ""), true);
});

/** The 62 of the first list, and further ones that lists of stolen passwords lead to. */
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

test("common and breached passwords are refused in any letter case, with spaces and signs around", async () => {
  assert.ok(COMMON.length > 70);
  for (const password of COMMON) {
    assert.ok(password.length >= PASSWORD_LENGTH.minLength, password);
    for (const typed of [password, password.toUpperCase(), ` ${password} `]) {
      const [fault, ...more] = await passwordFaults(typed, { email: "", name: "" });
      assert.match(String(fault?.msg), /this password is common/, typed);
      assert.deepEqual(more, []);
    }
  }
});

test("a long password of several words, and a random one, is taken", async () => {
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
    assert.match(String((await passwordFaults(own, self))[0]?.msg), /the e-mail or the name/);
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

test("a password that was hashed with other parameters is hashed anew at sign-in", async () => {
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
