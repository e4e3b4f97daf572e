/** Ids: 24 hex characters that start with the time in seconds and never decrease, whatever the clock does. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource, isId } from "../../src/platform/ids/ids.ts";

test("an id contains the second in which it was created", () => {
  const now_ms = 1_713_289_694_123.456;
  const id = idSource({ now_ms: () => now_ms })();
  assert.ok(isId(id));
  assert.equal(Number.parseInt(id.slice(0, 8), 16), Math.floor(now_ms / 1000));
});

test("ids increase under any clock: one that stops, that jumps, that runs back", () => {
  const steps = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(steps, (moves) => {
      let now_ms = 1.7e12;
      const makeId = idSource({ now_ms: () => now_ms });
      const ids = moves.map((move) => {
        now_ms += move / 10;
        return makeId();
      });
      assert.deepEqual(ids, [...new Set(ids)].toSorted());
    }),
  );
});

test("10,000 ids of one moment increase and differ", () => {
  const makeId = idSource({ now_ms: () => 1.7e12 });
  const ids = Array.from({ length: 10_000 }, makeId);
  assert.deepEqual(ids, [...new Set(ids)].toSorted());
});

test("two sources create different ids at one moment", () => {
  const one = idSource({ now_ms: () => 1.7e12 });
  const other = idSource({ now_ms: () => 1.7e12 });
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat();
  assert.equal(new Set(ids).size, 2000);
});

test("the machine's clock keeps to its millisecond and has finer steps", () => {
  const clock = systemClock();
  const before_ms = Date.now();
  const told = Array.from({ length: 1000 }, () => clock.now_ms());
  const after_ms = Date.now();
  for (const [at, moment] of told.slice(1).entries()) assert.ok(moment >= (told[at] ?? 0));
  assert.ok(told.every((moment) => moment >= before_ms - 1 && moment <= after_ms + 1));
  assert.ok(told.some((moment) => !Number.isInteger(moment)));
});
