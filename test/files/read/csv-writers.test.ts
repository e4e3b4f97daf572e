/** Every CSV writer quotes according to RFC 4180: an independent parser reads back the original values. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCsv, writeCsv } from "../../../console/src/portal/file/csv.ts";
import { DELIMITERS, type Delimiter } from "../../../src/files/read/csv-line.ts";
import { csvText, fromSpreadsheet, forSpreadsheet } from "../../../src/files/read/csv-text.ts";
import { maskRow } from "../../../src/files/imports/mask-secrets.ts";
import { rejectsText } from "../../../src/files/imports/rejects.ts";
import { isUnreadable, openRows, type OpenFile } from "../../../src/files/read/rows.ts";
import { parseRfc4180 } from "../../kit/rfc4180.ts";
import { oddText } from "./odd-texts.ts";
import { runsOf } from "../../kit/long.ts";

const RUNS = { numRuns: runsOf(2000) };

const delimiter = fc.constantFrom(...DELIMITERS);
/** Generates tables of unusual strings, in which all rows have the same width. */
const tableOf = (least: number) =>
  fc
    .integer({ min: least, max: 5 })
    .chain((width) =>
      fc.array(fc.array(oddText(60), { minLength: width, maxLength: width }), { minLength: 1 }),
    );

test("the export's writer quotes by RFC 4180, whatever the delimiter", () => {
  fc.assert(
    fc.property(tableOf(1), delimiter, (rows, comma) => {
      assert.deepEqual(parseRfc4180(csvText(rows, comma), comma), rows);
    }),
    RUNS,
  );
});

/** The portal ignores spaces around a cell. */
const trimmed = (row: readonly string[]) => row.map((cell) => cell.trim());

test("the portal's writer quotes by RFC 4180, after a byte order mark, and guards formulas", async () => {
  await fc.assert(
    fc.asyncProperty(tableOf(1), async (rows) => {
      const text = await writeCsv(rows);
      assert.equal(text[0], "\ufeff");
      assert.deepEqual(
        parseRfc4180(text.slice(1)),
        rows.map((row) => trimmed(row).map(forSpreadsheet)),
      );
    }),
    RUNS,
  );
});

test("the portal reads back what it wrote", async () => {
  await fc.assert(
    fc.asyncProperty(tableOf(1), async (odd) => {
      const rows = odd.map((row, at) => [`row ${at}`, ...row]);
      const table = [["name", ...(rows[0]?.slice(1).map((_, at) => `c${at}`) ?? [])], ...rows];
      const bytes = Uint8Array.from(Buffer.from(await writeCsv(table))).buffer;
      const { rows: read } = await readCsv(bytes);
      assert.deepEqual(
        read.map(({ values }) => trimmed(values)),
        rows.map(trimmed),
      );
    }),
    RUNS,
  );
});

const HEADINGS = ["name", "note", "ssn"];

/** Reads rows back in the same way as an import does. */
async function openTable(rows: readonly (readonly string[])[], comma: Delimiter) {
  const text = csvText([HEADINGS, ...rows], comma);
  const opened = await openRows(
    (async function* () {
      yield Buffer.from(text);
    })(),
    { format: "csv", encoding: "utf-8", delimiter: comma },
  );
  const read = [];
  for await (const group of opened.rows) read.push(...group);
  return { ...opened, read };
}

const threeCells = fc.array(
  fc.tuple(
    oddText(60).map((text) => `n${text}`),
    oddText(60),
    oddText(60),
  ),
  { minLength: 1, maxLength: 8 },
);

test("the rejects file contains the cells of the rejected rows, by RFC 4180", async () => {
  await fc.assert(
    fc.asyncProperty(threeCells, delimiter, async (rows, comma) => {
      const { read, ...opened } = await openTable(rows, comma);
      assert.ok(read.every((row) => !isUnreadable(row)));
      const rejects = read.map(({ line, raw }) => ({ line, raw, reason: `"no", ${raw}` }));
      const file: Omit<OpenFile, "rows"> = opened;
      let text = "";
      for await (const part of rejectsText(file, async ({ after }) =>
        rejects.filter(({ line }) => line > after),
      )) {
        text += part;
      }
      assert.deepEqual(parseRfc4180(text, comma), [
        ["reject_line", "reject_reason", ...HEADINGS],
        ...rejects.map(({ line, reason }, at) => [String(line), reason, ...(rows[at] ?? [])]),
      ]);
    }),
    RUNS,
  );
});

test("a row whose secrets are masked keeps its other cells", async () => {
  await fc.assert(
    fc.asyncProperty(threeCells, delimiter, async (rows, comma) => {
      const { read, ...opened } = await openTable(rows, comma);
      const masked = read.map(({ raw }) => maskRow(raw, opened, new Set(["ssn"])));
      assert.deepEqual(
        masked.map((row) => parseRfc4180(`${row}\r\n`, comma)),
        rows.map(([name, note, ssn]) => [[name, note, ssn === "" ? "" : "***"]]),
      );
    }),
    RUNS,
  );
});

test("a text is guarded against spreadsheets, and read back", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["=1+1", "'=1+1"],
    ["+49 30 1", "'+49 30 1"],
    ["-5", "'-5"],
    ["@x", "'@x"],
    ["'t Hooft", "''t Hooft"],
    ["''", "'''"],
    ["\tx", "'\tx"],
    ["\rx", "'\rx"],
    ["O'Brien", "O'Brien"],
    [" =1", " =1"],
    ["\n=1", "\n=1"],
    ["", ""],
  ];
  for (const [text, guarded] of cases) {
    assert.equal(forSpreadsheet(text), guarded);
    assert.equal(fromSpreadsheet(guarded), text);
  }
  // An apostrophe that the export did not add is part of the value.
  assert.equal(fromSpreadsheet("'n Beetje"), "'n Beetje");
  fc.assert(
    fc.property(oddText(60), (text) => {
      assert.equal(fromSpreadsheet(forSpreadsheet(text)), text);
      assert.doesNotMatch(forSpreadsheet(text), /^[=+\-@\t\r]/);
    }),
    RUNS,
  );
});
