/** The long form of tests, which only `npm run test:long` runs. */

import { test, type TestContext } from "node:test";

/**
 * Whether the run was started by `npm run test:long`. Otherwise, tests with a long form run the short one, which has
 * fewer repetitions of the same behavior.
 */
export const isLong = process.env["TEST_LONG"] !== undefined;

/** Returns all cases of a test in the long form, and the first `count` of them in the short one. */
export const casesOf = <T>(cases: readonly T[], count: number): readonly T[] =>
  isLong ? cases : cases.slice(0, count);

/** Returns the number of random cases to try: `count` in the long form, and a fifth of that in the short one. */
export const runsOf = (count: number): number => (isLong ? count : Math.ceil(count / 5));

/** Adds a test of the long form: it repeats with more cases or moments what another test shows. */
export function longTest(title: string, run: (t: TestContext) => Promise<void>): void {
  if (isLong) void test(title, run);
}
