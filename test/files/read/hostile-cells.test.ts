/**
 * Cells designed to be slow to parse, in a column of each kind from which a record type can be imported.
 * long-cells.long.ts tries every column.
 */

import { test } from "node:test";
import { targetsOf } from "../../../src/files/headings/heading-meanings.ts";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import { readRow } from "../../../src/files/rows/row-input.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";
import { endsInTime } from "../../kit/time-guard.ts";

/** Linear work on a cell of this length takes 5 ms. Quadratic work takes at least 8 s. */
const LENGTH = 128_000;
const LIMIT_s = 4;
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

/** The kinds of columns that were tried. */
const tried = new Set<string>();

test(`no cell of ${LENGTH} characters is slow to read in a column of any kind`, () => {
  for (const type of Object.values(BUILT_IN_TYPES)) {
    for (const target of targetsOf(type)) {
      const kind = type.fields[target]?.kind ?? target;
      if (tried.has(kind)) continue;
      tried.add(kind);
      for (const cell of CELLS) {
        const cells = new Map(Object.entries({ ...NEEDED, "hostile column": cell }));
        const row = { line: 2, raw: "", cells };
        const sample = { format: "csv" as const, headings: [...cells.keys()], rows: [row] };
        const map = { "hostile column": target };
        const options = { map, default_account: "Acme" };
        const read = () => readRow(row, compileMapping(type, sample, options));
        endsInTime(`${target}: ${cell.slice(0, 8)}…`, read, LIMIT_s);
      }
    }
  }
});
