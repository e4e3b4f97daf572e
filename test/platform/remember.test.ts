/**
 * Reads that several requests share: what happens to the other requests when one of the requests is rejected or fails.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../../src/platform/errors/errors.ts";
import { createMemory } from "../../src/platform/cache/cache.ts";

const clock = { now_ms: () => 1_800_000_000_000 };
const memoryOf = () => createMemory<string>(clock, { for_ms: 1000, most: 10 });

/** Returns a read that settles when `settle` is called. */
function openRead() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let reads = 0;
  return {
    read: () => {
      reads += 1;
      return promise;
    },
    reads: () => reads,
    resolve,
    reject,
  };
}

test("requests share one read", async () => {
  const memory = memoryOf();
  const shared = openRead();
  const all = [1, 2, 3].map(() => memory.get("key", shared.read));
  shared.resolve("value");
  assert.deepEqual(await Promise.all(all), ["value", "value", "value"]);
  assert.equal(shared.reads(), 1);
});

for (const code of ["not_started", "tenant_busy", "service_busy"] as const) {
  test(`a request that is rejected with ${code} fails alone: the others share another read`, async () => {
    const memory = memoryOf();
    const refused = openRead();
    const second = openRead();
    const first = memory.get("key", refused.read);
    const others = [1, 2, 3].map(() => memory.get("key", second.read));
    refused.reject(new AppError(code));
    second.resolve("value");
    await assert.rejects(first, { code });
    assert.deepEqual(await Promise.all(others), ["value", "value", "value"]);
    assert.equal(second.reads(), 1);
  });
}

test("requests that have waited long for a read that is rejected fail with it; later ones share another", async () => {
  let now_ms = 1_800_000_000_000;
  const memory = createMemory<string>({ now_ms: () => now_ms }, { for_ms: 10_000, most: 10 });
  const refused = openRead();
  const second = openRead();
  const early = [1, 2, 3].map(() => memory.get("key", refused.read));
  now_ms += 4_000;
  const late = [1, 2].map(() => memory.get("key", second.read));
  now_ms += 1_000;
  refused.reject(new AppError("service_busy"));
  second.resolve("value");
  for (const one of early) await assert.rejects(one, { code: "service_busy" });
  assert.deepEqual(await Promise.all(late), ["value", "value"]);
  assert.deepEqual([refused.reads(), second.reads()], [1, 1]);
});

test("a read that fails for another reason fails for all that wait for it, and is not stored", async () => {
  const memory = memoryOf();
  const failing = openRead();
  const all = [1, 2].map(() => memory.get("key", failing.read));
  failing.reject(new Error("no database"));
  for (const one of all) await assert.rejects(one, /no database/);
  assert.equal(failing.reads(), 1);
  assert.equal(await memory.get("key", async () => "value"), "value");
});
