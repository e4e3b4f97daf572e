/** The results of a run, which are printed, stored in bench/results/, and put into bench/README.md. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Shown } from "./compare.ts";

const README = join(import.meta.dirname, "README.md");
const RESULTS = join(import.meta.dirname, "results");
const number = (value: number): string => value.toFixed(Math.abs(value) >= 20 ? 0 : 2);

/** Formats one row of the table: the ratio, its range over the rounds, and the figures of both arms. */
export function rowText({ name, what, bar, ratio, spread, isMet, own, beside }: Shown): string {
  const range = spread === undefined ? "" : ` (${spread.map(number).join(" to ")})`;
  const verdict = bar === "" ? "" : isMet ? "met" : "**missed**";
  const cells = [name, what, bar, `${number(ratio)}${range}`, verdict, own, beside];
  return `| ${cells.join(" | ")} |`;
}

export const HEAD = [
  "| workload | description | target | measured (range) | result | Leadport | bare server |",
  "|---|---|---|---|---|---|---|",
].join("\n");

export interface Run {
  readonly machine: string;
  readonly command: string;
  readonly shown: readonly Shown[];
}

/** Stores a run in bench/results/ as a separate file. Returns the file's name. */
export function keep(run: object, now: Date): string {
  mkdirSync(RESULTS, { recursive: true });
  const name = `${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.json`;
  const told = { ...run, at: `${now.toISOString().slice(0, 19)}Z` };
  writeFileSync(join(RESULTS, name), `${JSON.stringify(told, null, 2)}\n`);
  return name;
}

/**
 * Puts the table into bench/README.md, between the two comments that mark the command's results. Does nothing if the
 * file has no such comments.
 */
export function publish({ machine, command, shown }: Run, file: string): void {
  const text = readFileSync(README, "utf8");
  const [BEGIN, END] = [`<!-- ${command} -->`, `<!-- end of ${command} -->`];
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1) return;
  if (end < begin) throw new Error(`${README} lacks ${END}`);
  const table = [
    BEGIN,
    `\`${command}\`, stored in [results/${file}](results/${file}). ${machine}.`,
    [HEAD, ...shown.map(rowText)].join("\n"),
    "",
  ].join("\n\n");
  writeFileSync(README, text.slice(0, begin) + table + text.slice(end));
}
