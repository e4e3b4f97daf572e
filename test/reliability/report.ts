/**
 * The campaign's results: each scenario adds a row. After the last one, the rows are printed as
 * Markdown tables and written as JSON. As the test runner's global setup, this module collects the
 * rows of all files.
 */

import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { cacheCompiledCode } from "../kit/compile-cache.ts";

export type Row = Readonly<Record<string, string | number | undefined>>;

interface Noted {
  readonly table: string;
  readonly row: Row;
  readonly missed: readonly string[];
}

/** The file to which the test files write their rows; unset if a file runs alone. */
const NOTES = "RELIABILITY_NOTES";
const RESULT = process.env["RELIABILITY_RESULT"];

/** Adds a row to a table, then fails the test if a criterion was missed. */
export function note(t: TestContext, table: string, row: Row, missed: readonly string[]): void {
  const noted: Noted = { table, row, missed };
  const path = process.env[NOTES];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(noted)}\n`);
  t.diagnostic(tableOf([noted]).join("\n"));
  assert.deepEqual(missed, []);
}

let folder: string | undefined;

export function globalSetup(): void {
  cacheCompiledCode();
  folder = mkdtempSync(join(tmpdir(), "leadport-reliability-"));
  process.env[NOTES] = join(folder, "rows");
  writeFileSync(process.env[NOTES], "");
}

export function globalTeardown(): void {
  const lines = readFileSync(process.env[NOTES] ?? "", "utf8").split("\n");
  const all = lines.filter(Boolean).map((line) => JSON.parse(line) as Noted);
  rmSync(folder ?? "", { recursive: true, force: true });
  const machine = machineText();
  console.log(`\n${machine}`);
  for (const [name, rows] of Object.entries(Object.groupBy(all, ({ table }) => table))) {
    console.log(["", `## ${name}`, "", ...tableOf(rows ?? [])].join("\n"));
  }
  if (RESULT === undefined) return;
  writeFileSync(RESULT, `${JSON.stringify({ machine, rows: all }, undefined, 2)}\n`);
}

/** Formats a Markdown table, with the missed criteria in the last column. */
function tableOf(noted: readonly Noted[]): readonly string[] {
  const names = [...new Set(noted.flatMap(({ row }) => Object.keys(row)))];
  return [
    line([...names, "result"]),
    line([...names.map((_, at) => (at === 0 ? "---" : "---:")), "---"]),
    ...noted.map(({ row, missed }) =>
      line([
        ...names.map((name) => textOf(row[name])),
        missed.length === 0 ? "passed" : `**failed**: ${missed.join(" ")}`,
      ]),
    ),
  ];
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function textOf(value: Row[string]): string {
  if (typeof value !== "number") return (value ?? "–").replaceAll("|", "\\|");
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
}

const machineText = (): string =>
  [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"})`,
    `${(totalmem() / 1024 ** 3).toFixed(0)} GB of memory`,
    `${process.platform} ${release()}`,
    `Node ${process.versions.node}`,
  ].join(", ");
