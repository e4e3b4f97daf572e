/** Converting strings in a file to numbers and times, in the formats that people and other systems use. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ColumnEvidence, styleOf } from "../../../src/files/formats/column-decisions.ts";
import { readDay, readMoment, readSerial } from "../../../src/files/formats/dates.ts";
import { readFlag, readNumber } from "../../../src/files/formats/numbers.ts";

/** Returns the number and date style detected from a column's cells. */
function styleFor(cells: readonly unknown[]) {
  const evidence = new ColumnEvidence();
  for (const cell of cells) evidence.add(cell, { numbers: true, dates: true, shares: true });
  return styleOf(evidence.decide("Column", {}), {});
}

const detectDecimalSign = (cells: readonly string[]) => styleFor(cells).decimal;
const detectDateOrders = (cells: readonly string[]) => styleFor(cells).dates;
const holdsSerialDates = (cells: readonly unknown[]) => styleFor(cells).serialDates;

const NUMBERS: readonly (readonly [column: readonly string[], numbers: readonly unknown[]])[] = [
  [
    ["$1,234.50", "1,234", "(500)", "12-", "-3", "USD 7", "0.5", "1,234,567", "1e3"],
    [1234.5, 1234, -500, -12, -3, 7, 0.5, 1_234_567, 1000],
  ],
  [
    ["1.234,50 €", "1.234", "12,5", "1 234,00", "CHF 1'000,50"],
    [1234.5, 1234, 12.5, 1234, 1000.5],
  ],
  [
    ["12,34,567.00", "₹500"],
    [1_234_567, 500],
  ],
  [
    ["12k", "10-50", "about 5", "1.2.3", "--", "1,23.4.5"],
    [undefined, undefined, undefined, undefined, undefined, undefined],
  ],
];

for (const [column, numbers] of NUMBERS) {
  test(`${column.join(" · ")} are read as numbers`, () => {
    const sign = detectDecimalSign(column);
    assert.deepEqual(
      column.map((cell) => readNumber(cell, sign)),
      numbers,
    );
  });
}

test("yes and no are read in several spellings", () => {
  assert.deepEqual(["TRUE", "yes", "1", "No", "0", "maybe"].map(readFlag), [
    true,
    true,
    true,
    false,
    false,
    undefined,
  ]);
});

const MOMENTS: readonly (readonly [text: string, iso: string])[] = [
  ["2025-06-15", "2025-06-15T00:00:00Z"],
  ["2026-05-13 14:20:48", "2026-05-13T14:20:48Z"],
  ["2015-01-12T10:11:12.000+0000", "2015-01-12T10:11:12Z"],
  ["2015-01-12T10:11:12+02:00", "2015-01-12T08:11:12Z"],
  ["2025/6/5", "2025-06-05T00:00:00Z"],
  ["20250615", "2025-06-15T00:00:00Z"],
  ["06/15/2025", "2025-06-15T00:00:00Z"],
  ["15.06.2025 09:30", "2025-06-15T09:30:00Z"],
  ["15-06-2025", "2025-06-15T00:00:00Z"],
  ["Jun 15 2025 3:30 PM", "2025-06-15T15:30:00Z"],
  ["June 15th, 2025", "2025-06-15T00:00:00Z"],
  ["15 Jun 2025", "2025-06-15T00:00:00Z"],
  ["Sunday, June 15, 2025", "2025-06-15T00:00:00Z"],
  ["1/2/25 12:05 am", "2025-01-02T00:05:00Z"],
  ["5-Apr-25", "2025-04-05T00:00:00Z"],
  ["05-Apr-1971", "1971-04-05T00:00:00Z"],
  ["5-Apr-71 14:30", "1971-04-05T14:30:00Z"],
  ["2025-04-05 12:34:56.789+00", "2025-04-05T12:34:56Z"],
  ["2025-04-05 12:34:56.123456-07", "2025-04-05T19:34:56Z"],
  ["2025-04-05 12:34:56+05:30", "2025-04-05T07:04:56Z"],
  ["1749945600", "2025-06-15T00:00:00Z"],
  ["1749945600000", "2025-06-15T00:00:00Z"],
  ["-1749945600000", "1914-07-20T00:00:00Z"],
  ["0100-01-01", "0100-01-01T00:00:00Z"],
];

for (const [text, iso] of MOMENTS) {
  test(`"${text}" is ${iso}`, () =>
    assert.equal(readMoment(text, detectDateOrders([text])), Date.parse(iso) / 1000));
}

for (const text of [
  "soon",
  "31/02/2025",
  "2025-13-01",
  "45000",
  "12:30",
  "2025-06-15 99:00",
  "31-Feb-25",
  "0001-01-01",
  "0099-12-31 12:00",
  "9999-12-31",
  "31.12.9999",
]) {
  test(`"${text}" is no moment`, () =>
    assert.equal(readMoment(text, detectDateOrders([text])), undefined));
}

test("one date that can only be day first decides for its whole column", () => {
  const orders = detectDateOrders(["03/04/2025", "25/04/2025"]);
  assert.deepEqual(readDay("03/04/2025", orders), { year: 2025, month: 4, day: 3 });
});

test("slashes and dashes of one column may have different orders", () => {
  const orders = detectDateOrders(["06/15/2025", "15-06-2025"]);
  assert.deepEqual(readDay("07/04/2025", orders), { year: 2025, month: 7, day: 4 });
  assert.deepEqual(readDay("07-04-2025", orders), { year: 2025, month: 4, day: 7 });
});

test("a column of Excel's numbers holds dates, a column with anything else does not", () => {
  assert.ok(holdsSerialDates(["45752", "", "45752.5"]));
  assert.ok(holdsSerialDates([45_752, null, 45_752.5]));
  assert.ok(holdsSerialDates(["45752", "N/A", " - ", "null", "45753"]));
  const late = [...Array<string>(1000).fill("45752"), "soon"];
  for (const column of [
    [],
    [""],
    ["N/A"],
    ["45752", "soon"],
    ["45752", "7"],
    ["1749945600"],
    late,
    [{}],
  ]) {
    assert.ok(!holdsSerialDates(column), column.join());
  }
  assert.deepEqual(["45752", " 45752.75 ", "25569", "soon"].map(readSerial), [
    "2025-04-05T00:00:00.000Z",
    "2025-04-05T18:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "soon",
  ]);
});

test("a number above one makes a column of fractions one of percentages, with either decimal sign", () => {
  for (const [cells, expected] of [
    [["50,5", "1", "0,5"], true],
    [["50.5", "1", "0.5"], true],
    [["1.050,5", "0,5"], true],
    [["0,5", "1,0", "0,505"], false],
    [["0.5", "1.0", "0.505"], false],
    [["0,5", "1 %"], true],
    [[50.5, 1], true],
    [[0.5, 1], false],
  ] as const) {
    assert.equal(styleFor(cells).percent, expected, cells.join());
  }
});
