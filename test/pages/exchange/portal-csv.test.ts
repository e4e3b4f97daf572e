/** Partners' CSV files: parsing, guessing columns, and converting rows to submissions. */

import assert from "node:assert/strict";
import test from "node:test";
import { faultOf, guessMeanings, type Meaning } from "../../../console/src/portal/file/columns.ts";
import { readCsv, writeCsv } from "../../../console/src/portal/file/csv.ts";
import { isDoubtful, rowsOf } from "../../../console/src/portal/file/rows.ts";

const bytesOf = (text: string, encoding: BufferEncoding = "utf8"): ArrayBuffer =>
  Uint8Array.from(Buffer.from(text, encoding)).buffer;

const ROW = ["Ines Falk", "ines@example.com"];

const SAME: Readonly<Record<string, ArrayBuffer>> = {
  "line feeds": bytesOf("name,email\nInes Falk,ines@example.com\n"),
  "carriage returns and line feeds": bytesOf("name,email\r\nInes Falk,ines@example.com\r\n"),
  "carriage returns": bytesOf("name,email\rInes Falk,ines@example.com"),
  "a byte order mark": bytesOf("\uFEFFname,email\nInes Falk,ines@example.com"),
  "UTF-16": bytesOf("\uFEFFname,email\nInes Falk,ines@example.com", "utf16le"),
  quotes: bytesOf('"name","email"\n"Ines Falk","ines@example.com"'),
  "a comma in a heading's quotes": bytesOf('name;"email"\n"Ines Falk";ines@example.com'),
  semicolons: bytesOf("name;email\nInes Falk;ines@example.com"),
  tabs: bytesOf("name\temail\nInes Falk\tines@example.com"),
  bars: bytesOf("name|email\nInes Falk|ines@example.com"),
  "spaces around values": bytesOf("name , email\n Ines Falk , ines@example.com "),
  "empty lines": bytesOf("\nname,email\n\n,\nInes Falk,ines@example.com\n\n"),
};

for (const [what, bytes] of Object.entries(SAME)) {
  test(`a file with ${what} is read like any other`, async () => {
    const { headings, rows } = await readCsv(bytes);
    assert.deepEqual(headings, ["name", "email"]);
    assert.deepEqual(
      rows.map(({ values }) => values),
      [ROW],
    );
  });
}

test("quoted values may contain delimiters, line breaks and doubled quotes", async () => {
  const { rows } = await readCsv(bytesOf('name,comments\n"Falk, Ines","two\nlines, ""quoted"""\n'));
  assert.deepEqual(rows[0]?.values, ["Falk, Ines", 'two\nlines, "quoted"']);
});

test("rows are numbered like in a spreadsheet, and may be short", async () => {
  const { rows } = await readCsv(bytesOf('name,email\nA,"a\nb"\n\nB\n,\nC,c\n'));
  assert.deepEqual(
    rows.map(({ row, values }) => [row, values.length]),
    [
      [2, 2],
      [4, 1],
      [6, 2],
    ],
  );
});

test("a file that is not UTF-8 is read as Windows-1252", async () => {
  const { rows } = await readCsv(bytesOf("name\nJos\xE9 M\xFCller", "latin1"));
  assert.deepEqual(rows[0]?.values, ["José Müller"]);
});

test("an unclosed quote is reported", async () => {
  await assert.rejects(readCsv(bytesOf('name\n"Ines')), /quote/i);
});

test("an empty file has no column headers and no rows", async () => {
  assert.deepEqual(await readCsv(bytesOf("")), { headings: [], rows: [] });
});

test("written CSV is read back unchanged", async () => {
  const rows = [
    ["name", "comments"],
    ["Falk, Ines", 'a "b"\nc'],
  ];
  const table = await readCsv(bytesOf(await writeCsv(rows)));
  assert.deepEqual([table.headings, ...table.rows.map(({ values }) => values)], rows);
});

test("no written cell is a formula, and each is read back unchanged", async () => {
  const cells = ["=1+1", "+1 212", "-x", "@x", "'x", "''x", "\tx", "a=1", "x'", "", "'=x"];
  const text = await writeCsv([["h"], ...cells.map((cell) => [cell])]);
  const lines = text.replace("\uFEFF", "").trim().split("\r\n").slice(1);
  for (const line of lines) assert.doesNotMatch(line, /^"?[=+\-@\t]/);
  assert.ok(lines.includes("'=1+1") && lines.includes("'+1 212") && lines.includes("a=1"));
  const { rows } = await readCsv(bytesOf(text));
  assert.deepEqual(
    rows.map(({ values }) => values[0]),
    cells.map((cell) => cell.trim()).filter((cell) => cell !== ""),
  );
});

const GUESSES: readonly (readonly [readonly string[], readonly Meaning[]])[] = [
  [
    ["Full Name", "E-mail", "Phone Number", "Lead Source", "Notes"],
    ["name", "email", "phone", "source", "comments"],
  ],
  [
    ["First Name", "Last Name", "Email 1 - Value", "Tel."],
    ["first_name", "last_name", "email", "phone"],
  ],
  // A first-name column is skipped if there is a full-name column. The second of two email columns is skipped.
  [
    ["Name", "First Name", "Email", "Mail", "Budget"],
    ["name", "skip", "email", "skip", "skip"],
  ],
];

for (const [headings, meanings] of GUESSES) {
  test(`${headings.join(", ")} are recognized`, () =>
    assert.deepEqual(guessMeanings(headings), meanings));
}

test("a mapping needs a name and an email or phone column, and uses each field once", () => {
  assert.equal(faultOf(["name", "email", "preference", "preference", "skip", "skip"]), undefined);
  assert.equal(faultOf(["last_name", "phone"]), undefined);
  assert.deepEqual(faultOf(["email", "phone"]), { kind: "no_name" });
  assert.deepEqual(faultOf(["name", "comments"]), { kind: "no_reach" });
  assert.deepEqual(faultOf(["name", "email", "email"]), { kind: "twice", meaning: "email" });
});

/** Converts cells to rows for a partner with two sources. */
const read = (meanings: readonly Meaning[], ...values: readonly (readonly string[])[]) =>
  rowsOf(
    {
      headings: meanings.map((_, at) => `h${at}`),
      rows: values.map((of, at) => ({ row: at, values: of })),
    },
    { meanings, sources: ["Referral", "Google"], source: "Google" },
  );

test("a row becomes a submission", () => {
  const meanings: readonly Meaning[] = [
    ...(["first_name", "last_name", "email", "phone", "source"] as const),
    ...(["comments", "description", "expiration_date", "preference", "preference"] as const),
  ];
  const [row] = read(meanings, [
    "Ines",
    "Falk",
    "ines@example.com",
    "",
    "REFERRAL",
    "a note",
    "",
    "2030-12-24",
    "2",
    "012",
  ]);
  assert.deepEqual(row?.body, {
    name: "Ines Falk",
    email: "ines@example.com",
    phone: null,
    source: "Referral",
    comments: "a note",
    description: null,
    match_preferences: { h8: 2, h9: "012" },
    expiration_date: "2030-12-24",
  });
  assert.deepEqual(row?.problems, []);
});

test("rows that cannot be submitted are known in advance", () => {
  const rows = read(
    ["name", "email", "source", "expiration_date"],
    ["", "a@example.com"],
    ["A", ""],
    ["A", "a@example.com", "Yelp"],
    ["A", "a@example.com", "", "1900000000"],
  );
  assert.deepEqual(
    rows.map(({ problems }) => problems),
    [[{ kind: "name" }], [{ kind: "reach" }], [{ kind: "source", source: "Yelp" }], []],
  );
  assert.equal(rows[3]?.body.source, "Google");
  assert.equal(rows[3]?.body.expiration_date, 1_900_000_000);
});

test("a row whose email address looks invalid is doubtful, unless it cannot be submitted anyway", () => {
  const rows = read(
    ["name", "email", "phone"],
    ["A", "a@example.com"],
    ["A", "a@example"],
    ["A", "", "1"],
    ["", "a@example"],
  );
  assert.deepEqual(rows.map(isDoubtful), [false, true, false, false]);
});
