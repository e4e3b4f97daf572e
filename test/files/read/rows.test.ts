/** Parsing files into rows: dialects, line numbers, and rows that cannot be parsed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import {
  FileError,
  isUnreadable,
  openRows,
  type OpenOptions,
} from "../../../src/files/read/rows.ts";
import { gather } from "./gather.ts";

async function* bytesOf(text: string, size = 5) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Checks each line of a file: its cells, or the reason why it cannot be parsed. Returns the file. */
async function checkFile(
  text: string,
  expected: Record<number, unknown>,
  options: OpenOptions = {},
) {
  const file = await openRows(bytesOf(text), options);
  const rows = (await gather(file.rows)).flat();
  const read = rows.map((row) => [
    row.line,
    isUnreadable(row) ? row.reason : Object.fromEntries(row.cells),
  ]);
  assert.deepEqual(Object.fromEntries(read), expected);
  return file;
}

/** Does the same as `checkFile`, for tests that need only the rows. */
async function check(text: string, expected: Record<number, unknown>): Promise<void> {
  await checkFile(text, expected);
}

for (const [name, delimiter] of [
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
  ["bar", "|"],
] as const) {
  for (const [end, lineEnd] of [
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["bare CR", "\r"],
  ] as const) {
    test(`cells separated by ${name} in lines that end with ${end} are recognized`, async () => {
      const lines = [
        ["name", "city"],
        ["Ann", "Rome"],
        [`"Bo ""B"" Li"`, `"a${delimiter}b${lineEnd}c"`],
        ["Cy", "Bern"],
      ];
      const text = lines.map((cells) => cells.join(delimiter)).join(lineEnd);
      const file = await checkFile(text, {
        2: { name: "Ann", city: "Rome" },
        3: { name: 'Bo "B" Li', city: `a${delimiter}b${lineEnd}c` },
        5: { name: "Cy", city: "Bern" },
      });
      assert.equal(file.delimiter, delimiter);
    });
  }
}

test("a comma in the texts does not hide that semicolons separate the cells", async () => {
  const file = await checkFile("a;b\nx, y, z;1\nu, v;2\n", {
    2: { a: "x, y, z", b: "1" },
    3: { a: "u, v", b: "2" },
  });
  assert.equal(file.delimiter, ";");
});

test("a first line in which Excel names the delimiter is no header", () =>
  check("sep=;\r\na;b\r\n1;2\r\n", { 3: { a: "1", b: "2" } }));

test("a file of one column is read", () =>
  check("email\nann@example.com\n", { 2: { email: "ann@example.com" } }));

test("quotes inside a cell stay as they are", () =>
  check('a,b\n1,5" pipe\n2,"5" pipe"\n', {
    2: { a: "1", b: '5" pipe' },
    3: { a: "2", b: '"5" pipe"' },
  }));

test("a quote that is never closed affects only its own line", () =>
  check('a,b\n1,"open\n2,x\n3,y', {
    2: "a quote is opened but not closed",
    3: { a: "2", b: "x" },
    4: { a: "3", b: "y" },
  }));

test("a quote that another row closes affects only its own line", () =>
  check('a,b\n1,"open\n2,x\n3,"y"\n4,z\n', {
    2: "an unbalanced quote in this line affects the lines after it",
    3: { a: "2", b: "x" },
    4: { a: "3", b: "y" },
    5: { a: "4", b: "z" },
  }));

test("a quote that a row without a quoted cell closes affects only its own line", () =>
  check('a,b,c\n1,"open\n2,x,y\n3,y,w"\n4,z\n', {
    2: "an unbalanced quote in this line affects the lines after it",
    3: { a: "2", b: "x", c: "y" },
    4: { a: "3", b: "y", c: 'w"' },
    5: { a: "4", b: "z", c: "" },
  }));

test("a row with line breaks may lack its last cells", () =>
  check('a,b,c,d,e\n1,2,"x\ny, z"\n1,"\n\n""",3\n"\n1"\n4,5,6,7,8\n', {
    2: { a: "1", b: "2", c: "x\ny, z", d: "", e: "" },
    4: { a: "1", b: '\n\n"', c: "3", d: "", e: "" },
    7: { a: "\n1", b: "", c: "", d: "", e: "" },
    9: { a: "4", b: "5", c: "6", d: "7", e: "8" },
  }));

test("a row with line breaks may have extra cells that are empty", () =>
  check('a,b,c\n1,2,"x\ny, z", ,""\n3,"\n",4,\n5,"\n",6,7\n8,9\n', {
    2: { a: "1", b: "2", c: "x\ny, z" },
    4: { a: "3", b: "\n", c: "4" },
    6: "an unbalanced quote in this line affects the lines after it",
    7: "a quote is opened but not closed",
    8: { a: "8", b: "9", c: "" },
  }));

test("an open quote before megabytes of rows affects only its own line", async () => {
  const rows = Array.from({ length: 120_000 }, (_, at) => `${at},some text of a row`).join("\n");
  const file = await openRows(bytesOf(`a,b\n0,"open\n${rows}\n`, 65_536));
  let good = 0;
  const bad: number[] = [];
  for (const row of (await gather(file.rows)).flat()) {
    if (isUnreadable(row)) bad.push(row.line);
    else good += 1;
  }
  assert.deepEqual({ good, bad }, { good: 120_000, bad: [2] });
});

test("a short row lacks its last cells; a long one is rejected if the extra cells are not empty", () =>
  check("a,b,c\n1,2\n1,2,3,,\n1,2,3,4\n", {
    2: { a: "1", b: "2", c: "" },
    3: { a: "1", b: "2", c: "3" },
    4: "the row has 4 cells, but the file has 3 columns",
  }));

test("blank lines and rows without any text are no rows", () =>
  check("a,b\n\n1,2\n,\n\n\n3,4\n\n", { 3: { a: "1", b: "2" }, 7: { a: "3", b: "4" } }));

test("a column header that is duplicated or empty gets a unique name", () =>
  check("Email,Email,\nx,y,z\n", { 2: { Email: "x", "Email (2)": "y", "column 3": "z" } }));

test("a generated column header differs from those in the file", () =>
  check("Email,Email,Email (2),Email\nw,x,y,z\n", {
    2: { Email: "w", "Email (3)": "x", "Email (2)": "y", "Email (4)": "z" },
  }));

test("NDJSON is recognized by its content, and a line that is no object is the only one rejected", () =>
  check('{"name":"Ann","n":1}\n[1]\n\nnonsense\n{"name":"Cy"}', {
    1: { name: "Ann", n: 1 },
    2: "not a JSON object",
    4: `not JSON: Unexpected token 'o', "nonsense" is not valid JSON`,
    5: { name: "Cy" },
  }));

test("an empty file and a JSON array are rejected as a whole", async () => {
  await assert.rejects(openRows(bytesOf(" \n")), FileError);
  await assert.rejects(openRows(bytesOf('[{"name":"Ann"}]')), /NDJSON/);
});

test("any table that is written as CSV is read back", () => {
  const cell = fc.string({ unit: "grapheme-ascii" }).map((text) => `.${text}`);
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 });
  return fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async (cells, size) => {
      const text = stringify([["a", "b", "c"], ...cells]);
      const { rows } = await openRows(bytesOf(text, size), { format: "csv", delimiter: "," });
      const read = (await gather(rows)).flat();
      assert.deepEqual(
        read.map((row) => (isUnreadable(row) ? row.reason : [...row.cells.values()])),
        cells,
      );
    }),
  );
});
