/** A row's email addresses, phone numbers and profiles, collected from all of its columns. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gatherContacts } from "../../../src/files/rows/contact-lists.ts";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import { isRefused, readRow } from "../../../src/files/rows/row-input.ts";
import { BUILT_IN_TYPES, type RecordType } from "../../../src/records/types/record-types.ts";

const entriesOf = (field: "email" | "phone", cells: Readonly<Record<string, unknown>>) =>
  gatherContacts(
    field,
    Object.entries(cells).map(([heading, cell]) => ({ heading, cell })),
  ).entries.map((entry) => `${entry.type} ${"email" in entry ? entry.email : entry.phone}`);

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
  [
    "all addresses of a member",
    { emails: { email: ["a@x.example", "b@x.example"], type: "Work" } },
    ["Main a@x.example", "Work b@x.example"],
  ],
  [
    "the first filled member",
    { emails: { email: "", value: "a@x.example" } },
    ["Main a@x.example"],
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
  ...[
    "+49 2131/123456",
    "+49 (0) 30/1234567",
    "0049 30/1234567",
    "02131/123456",
    "033056/765432",
    "2131/1234567",
    "415-555-0100/0101",
  ].map((text) => [`a slash within a number: ${text}`, { Phone: text }, [`Main ${text}`]] as const),
  [
    "numbers with the same prefix on both sides of a slash",
    { Phone: "+49 30 1234567 / +49 171 1234567", Mobile: "030 7654321/0171 7654321" },
    ["Main +49 30 1234567", "Other +49 171 1234567", "Mobile 030 7654321", "Mobile 0171 7654321"],
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

/** A lead type with an email list and a phone list that an import can write. */
const WITH_LISTS: RecordType = {
  ...BUILT_IN_TYPES.lead,
  fields: {
    ...BUILT_IN_TYPES.lead.fields,
    email_list: { kind: "free" },
    phone_list: { kind: "free" },
  },
};

const rowOf = (cells: Readonly<Record<string, unknown>>) => ({
  line: 2,
  raw: "",
  cells: new Map(Object.entries(cells)),
});

function mappingOf(type: RecordType, cells: Readonly<Record<string, unknown>>, options = {}) {
  const rows = [rowOf(cells)];
  return compileMapping(type, { format: "csv", headings: Object.keys(cells), rows }, options);
}

function inputOf(type: RecordType, cells: Readonly<Record<string, unknown>>, options = {}) {
  const input = readRow(rowOf(cells), mappingOf(type, cells, options));
  assert.ok(!isRefused(input), JSON.stringify(input));
  return input;
}

const bodyOf = (type: RecordType, cells: Readonly<Record<string, unknown>>) =>
  inputOf(type, cells).body;

const ROW = { Name: "Ann", "E-mail 2": "ann@two.example", Email: "ann@one.example", Mobile: "1" };

test("a row's lists are written if the record type has them, in the order of the columns' rank", () => {
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

test("if the record type has no lists, the column with the most values is read", () => {
  const { email_list, phone_list, ...fields } = WITH_LISTS.fields;
  assert.ok(email_list !== undefined && phone_list !== undefined);
  const body = { name: "Ann", email: "ann@one.example", phone: "1" };
  assert.deepEqual(bodyOf({ ...WITH_LISTS, fields }, ROW), body);
});

test("social profiles form one list", () => {
  assert.deepEqual(
    bodyOf(BUILT_IN_TYPES.lead, {
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

const UNREAD: readonly unknown[] = [
  { work: "w@x.example" },
  [{ work: "w@x.example" }],
  { email: { work: "w@x.example" } },
  [[[[[["w@x.example"]]]]]],
];

for (const cell of UNREAD) {
  for (const form of [cell, JSON.stringify(cell)]) {
    test(`a ${typeof form} without a known member is kept as a note: ${JSON.stringify(cell)}`, () => {
      const { body, warnings } = inputOf(BUILT_IN_TYPES.lead, { name: "Ann", email: form });
      const word = JSON.stringify(cell);
      assert.deepEqual(body, { name: "Ann", comments: `email in the file: ${word}` });
      assert.deepEqual(warnings, [{ kind: "unreadable_value", field: "email", word }]);
    });
  }
}

test("a member of another form is stored next to the addresses that are read", () => {
  const cell = ["a@x.example", { work: "w@x.example" }];
  const { body } = inputOf(BUILT_IN_TYPES.lead, { name: "Ann", email: cell });
  assert.equal(body["email"], "a@x.example");
  assert.equal(body["comments"], `email in the file: ${JSON.stringify(cell)}`);
});

test("objects and lists of empty texts contain nothing", () => {
  const empty = { primaryPhoneNumber: "", primaryPhoneCallingCode: "+1", additionalPhones: [] };
  for (const phone of [empty, {}, { work: "" }, [[]], JSON.stringify(empty)]) {
    const { body, warnings } = inputOf(BUILT_IN_TYPES.lead, { name: "Ann", phone });
    assert.deepEqual([body, warnings], [{ name: "Ann" }, []]);
  }
});

test("an entry that is too long is kept as a note, and the row is imported", () => {
  const word = "ask for Mary at the front desk, extension 4021, mornings";
  const { body, warnings } = inputOf(BUILT_IN_TYPES.lead, {
    Name: "Ann",
    Phone: "555 0100",
    "Phone 2": word,
  });
  const comments = `Phone 2 in the file: ${word}`;
  assert.deepEqual(body, { name: "Ann", phone: "555 0100", comments });
  assert.deepEqual(warnings, [{ kind: "too_long", field: "phone", word }]);
});

test("a main number that is too long rejects the row", () => {
  const row = {
    line: 2,
    raw: "",
    cells: new Map([
      ["Name", "Ann"],
      ["Phone", "1".repeat(51)],
    ]),
  };
  const sample = { format: "csv" as const, headings: ["Name", "Phone"], rows: [row] };
  const input = readRow(row, compileMapping(BUILT_IN_TYPES.lead, sample));
  assert.ok(isRefused(input));
  assert.match(input.reason, /^phone has 51 characters/);
});

test("the entries beyond the 50th are kept as a note", () => {
  const all = Array.from({ length: 53 }, (_, at) => `a${at}@x.example`);
  const cells = {
    Name: "Ann",
    Email: all.slice(0, 20).join(";"),
    "Email 2": all.slice(20).join(";"),
  };
  const { body, warnings } = inputOf(BUILT_IN_TYPES.lead, cells);
  const word = all.slice(50).join(", ");
  assert.equal((body["email_list"] as unknown[]).length, 50);
  assert.equal(body["comments"], `Email 2 in the file: ${word}`);
  assert.deepEqual(warnings, [{ kind: "too_many_entries", field: "email", word }]);
});

test("numbers that differ by an extension are both stored", () => {
  const cells = { Name: "Ann", Phone: "555 0100 x1", "Phone 2": "555 01001" };
  assert.equal((bodyOf(BUILT_IN_TYPES.lead, cells)["phone_list"] as unknown[]).length, 2);
});

test("value maps of a field and of a column apply to addresses, numbers and profiles", () => {
  const cells = { Name: "Ann", Email: "none", "Email 2": "n/a", Phone: 1, "LinkedIn Url": "-" };
  const values = {
    email: { none: "real@x.example" },
    "Email 2": { "n/a": "" },
    phone: { 1: "+1 415 555 0100" },
    social_dict_list: { "-": "" },
  };
  assert.deepEqual(inputOf(BUILT_IN_TYPES.lead, cells, { values }).body, {
    name: "Ann",
    email: "real@x.example",
    phone: "+1 415 555 0100",
  });
});

test("a list of 300,000 profiles in one cell is read", () => {
  const cell = JSON.stringify(Array.from({ length: 300_000 }, () => 1));
  const body = bodyOf(BUILT_IN_TYPES.lead, { Name: "Ann", "LinkedIn Url": cell });
  assert.equal((body["social_dict_list"] as unknown[]).length, 300_000);
});

const POSTAL = ["Mail", "Mail Address", "Business Mail", "Mail (home)"];

for (const heading of POSTAL) {
  test(`a column "${heading}" without addresses is no email column`, () => {
    const cells = { Name: "Ann", Email: "ann@x.example", [heading]: "1 Main St" };
    assert.deepEqual(bodyOf(BUILT_IN_TYPES.lead, cells), { name: "Ann", email: "ann@x.example" });
    const { report } = mappingOf(BUILT_IN_TYPES.lead, { Name: "Ann", [heading]: "1 Main St" });
    assert.equal(report.no_email_or_phone, true);
    assert.deepEqual(report.unmatched, [heading]);
  });

  test(`a column "${heading}" with addresses is an email column`, () => {
    const cells = { Name: "Ann", [heading]: "ann@x.example" };
    assert.equal(bodyOf(BUILT_IN_TYPES.lead, cells)["email"], "ann@x.example");
    assert.equal(mappingOf(BUILT_IN_TYPES.lead, cells).report.no_email_or_phone, false);
    assert.equal(
      mappingOf(BUILT_IN_TYPES.lead, { Name: "Ann", [heading]: "" }).sources.has("email"),
      true,
    );
  });
}

test("Direct Mail is no email column", () => {
  for (const cell of ["Yes", "ann@x.example"]) {
    const { report } = mappingOf(BUILT_IN_TYPES.lead, { Name: "Ann", "Direct Mail": cell });
    assert.deepEqual(report.unmatched, ["Direct Mail"]);
  }
  const { sources } = mappingOf(BUILT_IN_TYPES.lead, {
    Name: "Ann",
    "Direct Email": "a@x.example",
  });
  assert.deepEqual(sources.get("email"), ["Direct Email"]);
});
