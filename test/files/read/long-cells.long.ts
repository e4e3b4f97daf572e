/** Long cells in every field of every record type: the time to read a cell is proportional to its length. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { detectEncoding } from "../../../src/files/read/decode.ts";
import { targetsOf } from "../../../src/files/headings/heading-meanings.ts";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import { readRow } from "../../../src/files/rows/row-input.ts";
import { parseTemplate } from "../../../src/files/columns/template.ts";
import { endsInTime } from "../../kit/time-guard.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";

const LONG = 1024 * 1024;
/** Linear work takes 0.1 s, and quadratic work 10 minutes. */
const LIMIT_s = 60;

const PIECES = [
  "1",
  " ",
  "/",
  '"',
  "(",
  ")",
  "+",
  "@",
  ".",
  ",",
  "-",
  "'",
  "1,",
  "1.",
  "1/",
  "a ",
  "[",
  "{",
  "%",
  "$",
];
/** Long strings that start or end like a value that can be parsed. */
const TEXTS = PIECES.flatMap((piece) => {
  const long = piece.repeat(LONG / piece.length);
  return [long, `${long}x`, `x${long}`, `1/1/2024 ${long}x`, `(${long}`, `January 1 ${long}`];
});

/** The columns that were tried, with their definitions. Many columns are the same for several record types. */
const tried = new Set<string>();
const nameOf = (text: string) => `${text.slice(0, 12)}…${text.slice(-3)}`;

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a long cell in any field of a ${type.name} is read or rejected in linear time`, () => {
    for (const target of targetsOf(type)) {
      const column = `${target} ${JSON.stringify(type.fields[target])}`;
      if (tried.has(column)) continue;
      tried.add(column);
      const columns = { name: "a", account_id: "a", invoice_num: "1", total_amount: "1" };
      for (const text of TEXTS) {
        const cells = new Map(Object.entries({ ...columns, [target]: text }));
        const row = { line: 2, raw: text, cells };
        const headings = [...cells.keys()].filter((name) => targetsOf(type).includes(name));
        const sample = { format: "csv" as const, headings, rows: [row] };
        const map = Object.fromEntries(headings.map((name) => [name, name]));
        const read = () => readRow(row, compileMapping(type, sample, { map }));
        endsInTime(`${target}, ${nameOf(text)}`, read, LIMIT_s);
      }
    }
  });
}

test("headings, templates and encodings of long texts take linear time", () => {
  const [type] = Object.values(BUILT_IN_TYPES);
  assert.ok(type !== undefined);
  for (const text of TEXTS) {
    const heading = text.slice(-LONG / 4);
    const sample = { format: "csv" as const, headings: ["name", heading], rows: [] };
    for (const [what, work] of [
      ["heading", () => compileMapping(type, sample)],
      ["template", () => parseTemplate(heading)],
      ["encoding", () => detectEncoding(Buffer.from(text), true)],
    ] as const) {
      endsInTime<unknown>(`${what}, ${nameOf(text)}`, work, LIMIT_s);
    }
  }
});
