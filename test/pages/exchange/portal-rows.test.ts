/** The rows of a partner's file: why a row cannot be submitted, and which rows are about the same person. */

import assert from "node:assert/strict";
import test from "node:test";
import { problemsText, warningsText } from "../../../console/src/portal/file/problem-text.ts";
import { type FileRow, rowsOf } from "../../../console/src/portal/file/rows.ts";
import { earlierOf } from "../../../console/src/portal/file/same-person.ts";

const MEANINGS = ["name", "email", "phone", "source"] as const;

function read(...lines: readonly string[]): readonly FileRow[] {
  const rows = lines.map((line, at) => ({ row: at + 2, values: line.split(",") }));
  const table = { headings: [...MEANINGS], rows };
  return rowsOf(table, { meanings: MEANINGS, sources: ["Google"], source: "Google" });
}

test("a row shows all of its problems", () => {
  const [row] = read(",,,Yelp");
  assert.ok(row !== undefined);
  assert.equal(
    problemsText(row),
    "Name is missing. Email address and phone number are missing. “Yelp” is not one of your sources.",
  );
});

test("a row about the person of an earlier row names that row, with its other warnings", () => {
  const texts = read(
    "Ann,ann@example,,",
    ",ann@example,,",
    "Ann,ANN@example,,",
    "Bob,bob@example.com,,",
  ).map(warningsText);
  assert.deepEqual(texts, [
    "The email address looks invalid.",
    "",
    "Same person as row 2. The email address looks invalid.",
    "",
  ]);
});

for (const [one, other, isSame] of [
  ["+46 70 174 06 11", "070-174 06 11", true],
  ["+1 (212) 555-0143", "212.555.0143", true],
  ["0046701740611", "46701740611", true],
  ["212 555 0143", "312 555 0143", false],
  ["+46701740611", "+47701740611", false],
  ["555", "1 212 555 0555", false],
  ["n/a", "n/a", false],
] as const) {
  test(`${one} and ${other} are ${isSame ? "one number" : "two numbers"}`, () => {
    const rows = [one, other].map((phone) => ({ email: null, phone }));
    assert.deepEqual(earlierOf(rows), [undefined, isSame ? 0 : undefined]);
  });
}

test("a person is found by any row about it", () => {
  const rows = [
    { email: "a@example.com", phone: null },
    { email: "a@example.com", phone: "2125550143" },
    { email: null, phone: "2125550143" },
  ];
  assert.deepEqual(earlierOf(rows), [undefined, 0, 1]);
});
