/** The list of mutations matches the sources: each string occurs once, and the tests that must fail exist. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../tools/sources.ts";
import { MUTATIONS } from "../../tools/mutation/mutations.ts";

test("every mutation finds its text exactly once in its file, and changes it", () => {
  const found = MUTATIONS.flatMap(({ name, file, find, replace }) => {
    const path = join(ROOT, "src", file);
    const count = existsSync(path) ? readFileSync(path, "utf8").split(find).length - 1 : "no file:";
    return count === 1 && find !== replace ? [] : [`${name}: ${count} in src/${file}`];
  });
  assert.deepEqual(found, []);
});

test("there are at least 60 mutations, each with its own name and existing tests", () => {
  assert.ok(MUTATIONS.length >= 60, String(MUTATIONS.length));
  assert.equal(new Set(MUTATIONS.map(({ name }) => name)).size, MUTATIONS.length);
  const missing = MUTATIONS.flatMap(({ tests }) => tests).filter(
    (path) => !existsSync(join(ROOT, "test", path)),
  );
  assert.deepEqual(missing, []);
});
