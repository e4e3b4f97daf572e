/** The addresses, numbers and profiles of a row, gathered from all of its columns. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gatherContacts } from "../../src/files/contact-lists.ts";
import { compileMapping } from "../../src/files/mapping.ts";
import { isRefused, readRow } from "../../src/files/row-input.ts";
import type { RecordType } from "../../src/records/define.ts";
import { RECORD_TYPES } from "../../src/records/types/index.ts";

const entriesOf = (field: "email" | "phone", cells: Readonly<Record<string, unknown>>) =>
  gatherContacts(
    field,
    Object.entries(cells).map(([heading, cell]) => ({ heading, cell })),
  ).map((entry) => `${entry.type} ${"email" in entry ? entry.email : entry.phone}`);

const EMAILS: readonly (readonly [
  what: string,
  cells: Readonly<Record<string, unknown>>,
  entries: readonly string[],
])[] = [
  [
    "further columns are called after what their names say",
    {
      Email: "ann@work.example",
      "Email (home)": "ann@home.example",
      "Email 2": "ann@two.example",
      "Company Email": "info@work.example",
    },
    [
      "Main ann@work.example",
      "Home ann@home.example",
      "Other ann@two.example",
      "Company info@work.example",
    ],
  ],
  [
    "several addresses in one cell",
    { Email: "ann@one.example; Ann <ann@two.example> ::: ANN@one.example" },
    ["Main ann@one.example", "Other ann@two.example"],
  ],
  [
    "a cell with one address stays as it is",
    { Email: "Ann <ann@one.example>" },
    ["Main Ann <ann@one.example>"],
  ],
  ["a text without an address stays as it is", { Email: "none, ask her" }, ["Main none, ask her"]],
  [
    "addresses as JSON",
    { emails: '[{"email":"a@x.example","type":"Work"},{"value":"b@x.example","label":"Home"}]' },
    ["Main a@x.example", "Home b@x.example"],
  ],
  [
    "an address with its further ones",
    { emails: { primaryEmail: "a@x.example", additionalEmails: ["b@x.example", "a@x.example"] } },
    ["Main a@x.example", "Other b@x.example"],
  ],
  ["empty cells", { Email: " ", "Email 2": null, Mail: "[]" }, []],
];

for (const [what, cells, entries] of EMAILS) {
  test(`email addresses: ${what}`, () => assert.deepEqual(entriesOf("email", cells), entries));
}

const PHONES: typeof EMAILS = [
  [
    "further columns are called after what their names say",
    {
      Phone: "415-555-0100",
      Mobile: "415-555-0101",
      "Home Phone": "415-555-0102",
      "Phone 2": "(415) 555 0100",
      WhatsApp: "415-555-0103",
    },
    ["Main 415-555-0100", "Mobile 415-555-0101", "Home 415-555-0102", "WhatsApp 415-555-0103"],
  ],
  [
    "several numbers in one cell",
    { Phone: "415-555-0100 / 415-555-0101 or +1 415 555 0102" },
    ["Main 415-555-0100", "Other 415-555-0101", "Other +1 415 555 0102"],
  ],
  ["an area code is no number", { Phone: "030/123456" }, ["Main 030/123456"]],
  ["an extension is no number", { Phone: "415-555-0100, 17" }, ["Main 415-555-0100, 17"]],
  [
    "numbers with their calling code",
    { phones: [{ number: "4155550100", callingCode: "+1" }, "4155550101"] },
    ["Main +1 4155550100", "Other 4155550101"],
  ],
  ["a number of a spreadsheet", { Phone: 4155550100 }, ["Main 4155550100"]],
];

for (const [what, cells, entries] of PHONES) {
  test(`phone numbers: ${what}`, () => assert.deepEqual(entriesOf("phone", cells), entries));
}

test("a record has at most 50 entries", () => {
  const text = Array.from({ length: 80 }, (_, at) => `a${at}@x.example`).join(";");
  assert.equal(entriesOf("email", { Email: text }).length, 50);
});

/** A lead of which the lists can be written. */
const WITH_LISTS: RecordType = {
  ...RECORD_TYPES.lead,
  fields: {
    ...RECORD_TYPES.lead.fields,
    email_list: { kind: "free" },
    phone_list: { kind: "free" },
  },
};

function bodyOf(type: RecordType, cells: Readonly<Record<string, unknown>>) {
  const row = { line: 2, raw: "", cells: new Map(Object.entries(cells)) };
  const sample = { format: "csv" as const, headings: Object.keys(cells), rows: [row] };
  const input = readRow(row, compileMapping(type, sample));
  assert.ok(!isRefused(input));
  return input.body;
}

const ROW = { Name: "Ann", "E-mail 2": "ann@two.example", Email: "ann@one.example", Mobile: "1" };

test("a row's lists are written where the record type takes them, in the order of the columns' rank", () => {
  assert.deepEqual(bodyOf(WITH_LISTS, ROW), {
    name: "Ann",
    email: "ann@one.example",
    email_list: [
      { type: "Main", email: "ann@one.example" },
      { type: "Other", email: "ann@two.example" },
    ],
    phone: "1",
  });
});

test("where the record type does not take lists, the best filled column is read", () => {
  const { email_list, phone_list, ...fields } = WITH_LISTS.fields;
  assert.ok(email_list !== undefined && phone_list !== undefined);
  const body = { name: "Ann", email: "ann@one.example", phone: "1" };
  assert.deepEqual(bodyOf({ ...WITH_LISTS, fields }, ROW), body);
});

test("social profiles are one list", () => {
  assert.deepEqual(
    bodyOf(RECORD_TYPES.lead, {
      Name: "Ann",
      "Person Linkedin Url": "https://linkedin.com/in/ann",
      "Twitter Handle": "@ann",
      Facebook: "",
    })["social_dict_list"],
    [
      { type: "LinkedIn", url: "https://linkedin.com/in/ann" },
      { type: "Twitter", url: "@ann" },
    ],
  );
});
