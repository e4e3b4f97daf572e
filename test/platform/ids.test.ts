/** Ids: 24 hex characters that tell their second and never fall, whatever the clock does. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource, isId } from "../../src/platform/clock/ids.ts";

test("an id tells the second in which it was made", () => {
  const now_ms = 1_713_289_694_123.456;
  const id = idSource({ now_ms: () => now_ms })();
  assert.ok(isId(id));
  assert.equal(Number.parseInt(id.slice(0, 8), 16), Math.floor(now_ms / 1000));
});

test("ids rise under any clock: one that stands, that jumps, that goes back", () => {
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

test("10,000 ids of one moment rise and differ", () => {
  const makeId = idSource({ now_ms: () => 1.7e12 });
  const ids = Array.from({ length: 10_000 }, makeId);
  assert.deepEqual(ids, [...new Set(ids)].toSorted());
});

test("two sources of one moment make different ids", () => {
  const [one, other] = [idSource({ now_ms: () => 1.7e12 }), idSource({ now_ms: () => 1.7e12 })];
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat();
  assert.equal(new Set(ids).size, 2000);
});

test("the machine's clock keeps to its millisecond and has finer steps", () => {
  const clock = systemClock();
  const told = Array.from({ length: 1000 }, () => clock.now_ms());
  for (const [at, moment] of told.slice(1).entries()) assert.ok(moment >= (told[at] ?? 0));
  assert.ok(Math.abs((told.at(-1) ?? 0) - Date.now()) < 50);
  assert.ok(told.some((moment) => !Number.isInteger(moment)));
});
