/** The statistics that the performance guard uses. */

import assert from "node:assert/strict";
import test from "node:test";
import { estimate, judge, ROUNDS_MIN } from "../../bench/statistics.ts";
import { randomFrom } from "../kit/random.ts";

/** Returns the numbers from 1 to n in random order. */
const upTo = (n: number): readonly number[] =>
  Array.from({ length: n }, (_, at) => ((at * 7) % n) + 1);

for (const { n, median, low, high } of [
  { n: 6, median: 3.5, low: 1, high: 6 },
  { n: 9, median: 5, low: 2, high: 8 },
  { n: 10, median: 5.5, low: 2, high: 9 },
  { n: 20, median: 10.5, low: 6, high: 15 },
  { n: 25, median: 13, low: 8, high: 18 },
  { n: 100, median: 50.5, low: 40, high: 61 },
]) {
  test(`${n} values have the 95 % interval of the published tables`, () =>
    assert.deepEqual(estimate(upTo(n)), { median, low, high }));
}

test("fewer values than an interval needs are rejected", () =>
  assert.throws(() => estimate(upTo(ROUNDS_MIN - 1)), /^Error: 5 values have no 95 % interval/));

test("the interval contains the true median in at least 95 % of samples", () => {
  const random = randomFrom(20_261_122);
  const SAMPLES = 4000;
  let covered = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    // The samples are skewed, like CPU times. The median of -ln(u) is ln 2.
    const { low, high } = estimate(Array.from({ length: 20 }, () => -Math.log(1 - random())));
    if (low <= Math.LN2 && Math.LN2 <= high) covered += 1;
  }
  // The binomial distribution predicts that 95.9% of the intervals contain the median. The tolerance is four standard
  // errors.
  assert.ok(Math.abs(covered / SAMPLES - 0.959) < 0.013, `${covered} of ${SAMPLES}`);
});

test("one round that another program disturbed changes nothing", () => {
  const quiet = Array.from({ length: 20 }, (_, at) => 0.99 + at / 1000);
  assert.ok(estimate([...quiet.slice(1), 9]).median - estimate(quiet).median < 0.002);
});

for (const { median, low, high, verdict } of [
  { median: 1, low: 0.99, high: 1.01, verdict: { isSlower: false, isOpen: false } },
  { median: 1.05, low: 1.04, high: 1.05, verdict: { isSlower: false, isOpen: false } },
  { median: 1.04, low: 1.02, high: 1.06, verdict: { isSlower: false, isOpen: true } },
  { median: 1.06, low: 1.04, high: 1.08, verdict: { isSlower: true, isOpen: true } },
  { median: 1.08, low: 1.06, high: 1.1, verdict: { isSlower: true, isOpen: false } },
  { median: 0.8, low: 0.7, high: 0.9, verdict: { isSlower: false, isOpen: false } },
]) {
  test(`a ratio of ${median} (${low} to ${high}) is ${JSON.stringify(verdict)}`, () =>
    assert.deepEqual(judge({ median, low, high }), verdict));
}
