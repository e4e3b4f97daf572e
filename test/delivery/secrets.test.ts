/** A receiver's signing secrets: how many are active, and how much of them responses reveal. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { shownSecret, shownSecrets, withNewSecret } from "../../src/delivery/signing/secrets.ts";

const at = (second: number) => ({ now_ms: () => second * 1000 });

test("a third secret ends the first one", () => {
  const first = withNewSecret([], at(1));
  const second = withNewSecret(first, at(2));
  const third = withNewSecret(second, at(3));
  assert.deepEqual(
    [first, second, third].map((secrets) => secrets.map(({ created_ts }) => created_ts)),
    [[1], [2, 1], [3, 2]],
  );
  assert.equal(new Set([first[0], second[0], third[0]].map(({ secret }) => secret)).size, 3);
});

test("only the new secret is shown, and of others when they were created", () => {
  const secrets = withNewSecret(withNewSecret([], at(1)), at(2));
  assert.deepEqual(shownSecret(secrets), {
    secret: secrets[0].secret,
    created_ts: 2,
    created_date: "1970-01-01T00:00:02Z",
    active: 2,
  });
  assert.match(secrets[0].secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(
    shownSecrets(secrets).map((shown) => Object.keys(shown)),
    [
      ["created_ts", "created_date"],
      ["created_ts", "created_date"],
    ],
  );
});
