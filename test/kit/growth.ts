/** Checks how the processor time of some work grows with the size of its input. */

import assert from "node:assert/strict";

const RUNS = 3;
/** Time that both measurements may contain by chance, for example for collecting garbage. */
const SLACK_us = 30_000;

/** Returns the processor time of the fastest run. Other programs on the machine do not count. */
function fastest_us(work: () => unknown): number {
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}

/**
 * Asserts that work on an input of four times the size takes about four times as long. In quadratic time, it would take
 * 16 times as long. `workOn` prepares an input of a size and returns the work on it.
 */
export function checkLinear(name: string, size: number, workOn: (size: number) => () => unknown) {
  const once_us = fastest_us(workOn(size));
  const fourfold_us = fastest_us(workOn(4 * size));
  const most_us = 8 * once_us + SLACK_us;
  assert.ok(
    fourfold_us < most_us,
    `${name}: ${once_us} µs, with 4 times the size ${fourfold_us} µs`,
  );
}
