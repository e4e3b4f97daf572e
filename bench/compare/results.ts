/** Results as Markdown tables, which are printed and put into bench/README.md. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, quantile } from "../statistics.ts";

const README = join(import.meta.dirname, "../README.md");

type Cells = readonly (string | number)[];

export const rowText = (cells: Cells): string => `| ${cells.join(" | ")} |`;

/** Formats the header of a table, and the line below it. */
export const headText = (...columns: readonly string[]): string =>
  `${rowText(columns)}\n${rowText(columns.map(() => "---"))}`;

/** Formats a time in ms. */
export const ms = (value: number): string => value.toFixed(value < 1 ? 2 : 1);

/** Formats the median and the p99. The median is marked if it misses its target (`bar_ms`). */
export const spread = (took_ms: readonly number[], bar_ms = Infinity): readonly string[] => {
  const middle_ms = median(took_ms);
  return [`${ms(middle_ms)}${middle_ms < bar_ms ? "" : " **over**"}`, ms(quantile(took_ms, 0.99))];
};

/**
 * Puts a table into bench/README.md, between the two comments that mark the command's results. Does nothing if the file
 * has no such comments.
 */
export function publish(command: string, machine: string, table: string): void {
  const text = readFileSync(README, "utf8");
  const BEGIN = `<!-- ${command} -->`;
  const END = `<!-- end of ${command} -->`;
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1) return;
  if (end < begin) throw new Error(`${README} lacks ${END}`);
  const date = new Date().toISOString().slice(0, 10);
  const results = [BEGIN, `Measured on ${date}: ${machine}.`, table, ""].join("\n\n");
  writeFileSync(README, text.slice(0, begin) + results + text.slice(end));
}
