/** Passwords: the same work for nobody, few at once, and today's parameters. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { COMMON_PASSWORDS } from "../../src/people/common-passwords.ts";
import {
  createPasswords,
  isOutdated,
  PASSWORD_LENGTH,
  passwordFaults,
} from "../../src/people/passwords.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok } from "../api/samples.ts";
import { ownerOf, PASSWORD, signIn } from "./people-kit.ts";

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

test("the list holds passwords that its length would let through, in lower case", () => {
  for (const password of COMMON_PASSWORDS) {
    assert.ok(password.length >= PASSWORD_LENGTH.minLength, password);
    assert.equal(password, password.toLowerCase());
    assert.equal(passwordFaults(password.toUpperCase(), { email: "", name: "" }).length, 1);
  }
});

test("a password that was hashed with other parameters is hashed anew at sign-in", async () => {
  const api = await fileApi();
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
