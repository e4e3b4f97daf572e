/** The exact delays of the retry schedule, including jitter and Retry-After. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GAPS_s, nextGap_s, retryAfter_s } from "../../src/delivery/schedule.ts";

const MINUTE_s = 60;
const HOUR_s = 3600;
const NOW_ms = Date.UTC(2026, 0, 15, 12);
const failure = { status: 500, headers: {} };

test("the schedule is at once, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h", () => {
  const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * HOUR_s);
  assert.deepEqual(GAPS_s, [0, 5, 5 * MINUTE_s, 30 * MINUTE_s, ...hours]);
});

test("ten attempts are made, and no eleventh", () => {
  const deps = { now_ms: () => NOW_ms, random: () => 0.5 };
  const gaps = Array.from({ length: 11 }, (_, at) =>
    nextGap_s({ ...failure, tries: at + 1 }, deps),
  );
  assert.deepEqual(gaps, [...GAPS_s.slice(1), undefined, undefined]);
});

test("jitter stays within a tenth of the gap, and uses all of it", () => {
  for (const [tries, gap_s] of [...GAPS_s.entries()].slice(1)) {
    const at = (random: number) =>
      nextGap_s({ ...failure, tries }, { now_ms: () => NOW_ms, random: () => random }) ?? -1;
    assert.equal(at(0), gap_s * 0.9);
    assert.ok(Math.abs(at(1) - gap_s * 1.1) < 1e-6);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        const gap = at(random);
        return gap >= gap_s * 0.9 && gap <= gap_s * 1.1 + 1e-6;
      }),
    );
  }
});

test("Retry-After delays and never brings forward, by a day at most", () => {
  const gap = (status: number, after: string, tries = 1) =>
    nextGap_s(
      { tries, status, headers: { "retry-after": after } },
      { now_ms: () => NOW_ms, random: () => 0.5 },
    );
  assert.equal(gap(429, "60"), 60);
  assert.equal(gap(503, "60"), 60);
  assert.equal(gap(429, "60", 4), 2 * HOUR_s);
  assert.equal(gap(429, "0"), 5);
  assert.equal(gap(429, "604800"), 24 * HOUR_s);
  assert.equal(gap(429, new Date(NOW_ms + 90_000).toUTCString()), 90);
  assert.equal(gap(500, "60"), 5);
  assert.equal(gap(302, "60"), 5);
  assert.equal(gap(429, "60", 10), undefined);
});

for (const [text, wanted_s] of [
  ["120", 120],
  [" 7 ", 7],
  ["Thu, 15 Jan 2026 12:00:30 GMT", 30],
  ["Thu, 15 Jan 2026 11:00:00 GMT", 0],
  ["-5", 0],
  ["1.5", 0],
  ["1e3", 0],
  ["tomorrow", 0],
  ["Thu, 99 Foo 2026 12:00:30 GMT", 0],
  ["2026-01-15T12:00:30Z", 0],
  ["", 0],
  [undefined, 0],
] as const) {
  test(`Retry-After ${JSON.stringify(text)} is ${wanted_s} s`, () =>
    assert.equal(retryAfter_s(text, NOW_ms), wanted_s));
}
