/** Formats the result tables of the exchange benchmark, and marks missed targets. */

import { median, quantile } from "./service.ts";

export const ms = (value: number): string => value.toFixed(value < 1 ? 2 : 1);

export const row = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.join(" | ")} |`);

export function head(title: string, ...columns: readonly string[]): void {
  console.log(`\n${title}\n`);
  row(columns);
  row(columns.map((name, at) => (at === 0 || name === "" ? "---" : "---:")));
}

/** Returns the median and the p99. The median is marked if it misses its target (`bar_ms`). */
export const spread = (took_ms: readonly number[], bar_ms = Infinity): readonly string[] => {
  const middle_ms = median(took_ms);
  const mark = middle_ms < bar_ms ? "" : " **over**";
  return [`${ms(middle_ms)}${mark}`, ms(quantile(took_ms, 0.99))];
};
