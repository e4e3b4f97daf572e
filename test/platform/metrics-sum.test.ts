/** Combining the metrics of several processes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { figuresOf } from "../../src/platform/metrics/metrics.ts";
import { createMetricsSum, type Figures } from "../../src/platform/metrics/metrics-sum.ts";

/** Returns the metrics of a process that has sent `answered` responses and is processing one request. */
function figures(answered: number): Promise<Figures> {
  const registers = [new Registry()];
  new Counter({ name: "answers", help: "-", labelNames: ["api"], registers }).inc(
    { api: "crm" },
    answered,
  );
  new Gauge({ name: "under_way", help: "-", registers }).set(1);
  const times = new Histogram({ name: "seconds", help: "-", buckets: [1], registers });
  for (let n = 0; n < answered; n += 1) times.observe(0.5);
  return figuresOf(registers[0] as Registry);
}

/** Asserts that the text consists of these lines, ignoring comments. */
async function check(text: Promise<string>, expected: readonly string[]): Promise<void> {
  const lines = (await text).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  assert.deepEqual(lines, expected);
}

const told = (answered: number, underWay: readonly string[]): readonly string[] => [
  `answers{api="crm"} ${answered}`,
  ...underWay,
  `seconds_bucket{le="1"} ${answered}`,
  `seconds_bucket{le="+Inf"} ${answered}`,
  `seconds_sum ${answered / 2}`,
  `seconds_count ${answered}`,
];

test("counts and current values of the processes are added up, and a new report replaces the last one", async () => {
  const sum = createMetricsSum();
  sum.put(1, await figures(2));
  sum.put(2, await figures(4));
  sum.put(2, await figures(6));
  await check(sum.text(), told(8, ["under_way 2"]));
});

test("a process that has ended stays counted for concurrent readers, and holds nothing", async () => {
  const sum = createMetricsSum();
  for (const id of [1, 2, 3]) sum.put(id, await figures(2 * id));
  sum.end(1);
  sum.end(2);
  sum.end(4);
  const both = [sum.text(), sum.text()];
  for (const text of both) await check(text, told(12, ["under_way 1"]));
});
