/** Cells designed to be slow to parse, in every column from which a record type can be imported. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { targetsOf } from "../../../src/files/columns/heading-meanings.ts";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import { readRow } from "../../../src/files/rows/row-input.ts";
import { RECORD_TYPES } from "../../../src/records/types/record-types.ts";

const LENGTH = 40_000;
const long = (text: string) => text.repeat(LENGTH / text.length);

const CELLS = [
  long("a"),
  long("1"),
  long("@"),
  long("a@"),
  `1${long(" ")}2`,
  `1${long("\n")}2`,
  `${long(" ")}or`,
  `1${long("\t")}@`,
  ...[..."\"'<([{;,|:/.-+0\\"].map(long),
  ...["1,", "1.", "1/", "a ", '"",', '"a', "[[", "1 or ", "(1", "00", "a;", ":::1"].map(long),
  `"${long(" ")}a`,
  `1${long(",000")}x`,
];

/** Values for the required columns. */
const NEEDED = { name: "Ann", invoice_num: "7", total_amount: "5" };

/** The CPU time that a cell may take. A quadratic regular expression would take about 20 s. */
const CELL_CPU_ms = 2000;

for (const type of Object.values(RECORD_TYPES)) {
  test(`no cell of ${LENGTH} characters is slow to read in a file of ${type.name}s`, () => {
    for (const target of targetsOf(type)) {
      for (const cell of CELLS) {
        const cells = new Map(Object.entries({ ...NEEDED, "hostile column": cell }));
        const row = { line: 2, raw: "", cells };
        const sample = { format: "csv" as const, headings: [...cells.keys()], rows: [row] };
        const map = { "hostile column": target };
        const started = process.cpuUsage();
        readRow(row, compileMapping(type, sample, { map, default_account: "Acme" }));
        const { user } = process.cpuUsage(started);
        assert.ok(user < CELL_CPU_ms * 1000, `${target}: ${cell.slice(0, 8)}… took ${user} µs`);
      }
    }
  });
}
