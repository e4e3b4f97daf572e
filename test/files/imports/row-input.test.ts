/** How rows are converted to the request bodies that create the records. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { openIntake } from "../../../src/files/imports/intake.ts";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import { targetsOf } from "../../../src/files/headings/heading-meanings.ts";
import type { MappingOptions } from "../../../src/files/columns/mapping-options.ts";
import {
  settleReferences,
  wantedLookups,
  type Resolution,
} from "../../../src/files/rows/references.ts";
import { isRefused, readRow, type RowInput } from "../../../src/files/rows/row-input.ts";
import type { Row } from "../../../src/files/read/row.ts";
import type { Field } from "../../../src/records/types/index.ts";
import { BUILT_IN_TYPES, type RecordName } from "../../../src/records/types/record-types.ts";
import { gather } from "../read/gather.ts";

const NOW_s = Date.UTC(2026, 0, 1) / 1000;

type Cells = Readonly<Record<string, unknown>>;

const rowOf = (cells: Cells): Row => ({
  line: 2,
  raw: JSON.stringify(cells),
  cells: new Map(Object.entries(cells)),
});

function mappingOf(name: RecordName, cells: Cells, options: MappingOptions = {}) {
  const headings = Object.keys(cells);
  const sample = { format: "csv" as const, headings, rows: [rowOf(cells)], now_s: NOW_s };
  return compileMapping(BUILT_IN_TYPES[name], sample, options);
}

const read = (name: RecordName, cells: Cells, options: MappingOptions = {}) =>
  readRow(rowOf(cells), mappingOf(name, cells, options));

/** Checks only the members in `expected`. */
function check(name: RecordName, cells: Cells, expected: Partial<RowInput>, options = {}) {
  const input = read(name, cells, options);
  assert.ok(!isRefused(input), JSON.stringify(input));
  const found = Object.keys(expected).map((key) => [key, input[key as keyof RowInput]]);
  assert.deepEqual(Object.fromEntries(found), expected);
}

function refuse(name: RecordName, cells: Cells, reason: RegExp, options: MappingOptions = {}) {
  const input = read(name, cells, options);
  assert.ok(isRefused(input));
  assert.match(input.reason, reason);
}

test("first and last name are joined and stored as sent", () =>
  check(
    "lead",
    { "First Name": "Ann", "Last Name": "Bo Li" },
    {
      body: { name: "Ann Bo Li", first_name: "Ann", last_name: "Bo Li" },
      warnings: [],
    },
  ));

test("a person without a name is named after the other values", () =>
  check(
    "lead",
    { Name: " ", Email: "ann@example.com" },
    {
      body: { email: "ann@example.com", name: "ann@example.com" },
      warnings: [{ kind: "made_name", field: "name", word: "ann@example.com" }],
    },
  ));

test("a row without anything that can be a name is rejected", () =>
  refuse("lead", { Name: "", Email: "", Notes: "empty" }, /the row has no name/));

test("the second phone is used if the first is empty", () =>
  check("lead", { Name: "Ann", Mobile: "2", Phone: "" }, { body: { name: "Ann", phone: "2" } }));

test("an unknown status or source becomes the default and a note", () =>
  check(
    "lead",
    { Name: "Ann", Status: "Follow Up", "Lead Source": "Tower", Notes: "Hi" },
    {
      body: {
        name: "Ann",
        comments: "Hi\nLead Source in the file: Tower\nStatus in the file: Follow Up",
      },
      warnings: [
        { kind: "unknown_word", field: "source", word: "Tower" },
        { kind: "unknown_word", field: "status", word: "Follow Up" },
      ],
    },
  ));

test("strict rejects rows with a warning", () =>
  refuse("lead", { Name: "Ann", Status: "Follow Up" }, /status: "Follow Up" is not a known value/, {
    strict: true,
  }));

test("several columns of notes are stored one below the other", () =>
  check(
    "lead",
    { Name: "Ann", Remarks: "First", Notes: "Second" },
    {
      body: { name: "Ann", comments: "Remarks: First\nNotes: Second" },
    },
  ));

test("an invalid email and a phone without digits are stored as they are, with warnings", () =>
  check(
    "lead",
    { Name: "Ann", Email: "not an address", Phone: "call me" },
    {
      body: { name: "Ann", email: "not an address", phone: "call me" },
      warnings: [
        { kind: "doubtful_email", field: "email", word: "not an address" },
        { kind: "doubtful_phone", field: "phone", word: "call me" },
      ],
    },
  ));

test("a text that is too long is rejected, not cut", () =>
  refuse(
    "lead",
    { Name: "Ann", Title: "x".repeat(201) },
    /title has 201 characters; the maximum is 200/,
  ));

test("unreadable values are kept as a note, secrets are not", () =>
  check(
    "contact",
    { Name: "Ann", Birthdate: "spring", SSN: "12-34" },
    {
      body: { name: "Ann", comments: "Birthdate in the file: spring" },
      warnings: [
        { kind: "unreadable_value", field: "ssn" },
        { kind: "unreadable_value", field: "birth_date", word: "spring" },
      ],
    },
  ));

test("a birthday is stored as three numbers", () =>
  check(
    "contact",
    { Name: "Ann", Birthdate: "1980-02-29" },
    {
      body: { name: "Ann", birth_year: 1980, birth_month: 2, birth_day: 29 },
    },
  ));

test("a closed deal keeps its close date; for an open one it is the expected close date", () => {
  const cells = { Name: "Big", Account: "Acme", Stage: "Won", "Close Date": "2017-03-01" };
  check("deal", cells, { body: { name: "Big", stage: "closed_won" }, closed_ts: 1_488_326_400 });
  check(
    "deal",
    { ...cells, Stage: "Prospecting" },
    {
      body: { name: "Big", stage: "prospecting", expected_close_date: 1_488_326_400 },
    },
  );
});

test("an unknown value leaves the stage at its default", () =>
  check(
    "deal",
    { Name: "Big", Account: "Acme", Stage: "Engaging" },
    {
      body: { name: "Big", business_need_description: "Stage in the file: Engaging" },
      warnings: [{ kind: "unknown_word", field: "stage", word: "Engaging" }],
    },
  ));

test("a deal is closed if the column next to its stage is", () => {
  const cells = {
    "Deal - Title": "Big",
    "Deal - Organization": "Acme",
    "Deal - Stage": "Contract Sent",
  };
  const stageOf = { name: "Big", stage: "contract_pending" };
  check("deal", { ...cells, "Deal - Status": "Open" }, { body: stageOf });
  check("deal", { ...cells, "Deal - Status": "" }, { body: stageOf });
  check(
    "deal",
    { ...cells, "Deal - Status": "Won" },
    { body: { ...stageOf, stage: "closed_won" } },
  );
});

test("a value map takes precedence, by field, by column or for all options", () => {
  const cells = { Name: "Big", Account: "Acme", Status: "Won" };
  for (const where of ["stage", "Status", "*"]) {
    const values = { [where]: { won: "draft" } };
    check("deal", cells, { body: { name: "Big", stage: "draft" } }, { values });
  }
});

test("a name can be combined from other columns, with their values mapped", () =>
  check(
    "deal",
    { account: "Acme", product: "PROX" },
    { body: { name: "Acme – Pro X" }, warnings: [] },
    { set: { name: "{account} – {product}" }, values: { product: { PROX: "Pro X" } } },
  ));

test("text that is combined from columns comes before the text of other columns", () => {
  const cells = { Name: "Ann", Street: "1 Elm St", Notes: "Calls late", Remarks: "VIP" };
  const comments = (template: string, expected: string) =>
    check(
      "lead",
      cells,
      { body: { name: "Ann", comments: expected } },
      { set: { comments: template } },
    );
  comments("{Street}", "1 Elm St\nNotes: Calls late\nRemarks: VIP");
  comments("{Notes}, {Street}", "Calls late, 1 Elm St\nRemarks: VIP");
});

test("percentages and fractions of one are distinguished by the column and by the value", () => {
  const cells = { Name: "Big", Account: "Acme", Amount: "$1,234.50" };
  for (const [written, share] of [
    ["75", 0.75],
    ["75%", 0.75],
    ["0.75", 0.75],
    ["1", 1],
    ["0", 0],
  ] as const) {
    check(
      "deal",
      { ...cells, Probability: written },
      {
        body: { name: "Big", value_of_sale: 1234.5, probability_pcnt: share },
      },
    );
  }
});

test("percentages with a decimal comma become fractions", async () => {
  const text = 'Name,Account,Probability\nA,Acme,"50,5"\nB,Acme,1\nC,Acme,"0,5"\n';
  const { rows } = await openIntake(BUILT_IN_TYPES.deal, Readable.from([Buffer.from(text)]));
  const shares = (await gather(rows)).map((row) => !isRefused(row) && row.body["probability_pcnt"]);
  assert.deepEqual(shares, [0.505, 0.01, 0.005]);
});

test("empty cells do not change that a column has Excel serial dates, and are no dates", async () => {
  const text = "Name,Birth Date,Decision Date\nA,36000,45000\nB,N/A,-\n";
  const { rows } = await openIntake(BUILT_IN_TYPES.contact, Readable.from([Buffer.from(text)]));
  const [dated, none] = await gather(rows);
  assert.ok(dated !== undefined && none !== undefined && !isRefused(dated) && !isRefused(none));
  assert.equal(dated.body["decision_date"], Date.UTC(2023, 2, 15) / 1000);
  assert.equal(dated.body["birth_year"], 1998);
  assert.deepEqual([none.body, none.warnings], [{ name: "B" }, []]);
});

const wantedAccount = (text: string, heading: string, byDefault: boolean) => ({
  field: "account_id",
  names: [{ to: "account" as const, text, heading, kind: "name" as const }],
  byDefault,
});

test("the default account is used for rows without one, and no others", () => {
  const options = { default_account: "Walk-in" };
  check(
    "deal",
    { Name: "Big", Account: "" },
    {
      references: [wantedAccount("Walk-in", "default account", true)],
    },
    options,
  );
  check(
    "deal",
    { Name: "Big", Account: "Acme" },
    {
      references: [wantedAccount("Acme", "Account", false)],
    },
    options,
  );
  refuse("deal", { Name: "Big", Account: "" }, /has no account and no contact/);
});

test("a ticket is a task with a priority; only a closed one has a close date", () => {
  const cells = { "Ticket Name": "Fix", "Ticket Priority": "High", "Ticket Status": "Closed" };
  check(
    "task",
    { ...cells, "Close Date": "2025-02-05" },
    {
      body: { name: "Fix", priority: 2, status: "completed", completed_date: 1_738_713_600 },
    },
  );
  check(
    "task",
    { ...cells, "Ticket Status": "New", "Close Date": "2025-02-05" },
    {
      body: {
        name: "Fix",
        priority: 2,
        status: "assigned",
        description: "completed_date in the file: 1738713600",
      },
    },
  );
});

test("action_data is text unless it contains an object or a string as JSON", () => {
  const readAs = (cell: unknown, value: unknown) =>
    check(
      "task",
      { Name: "Call", action_data: cell },
      { body: { name: "Call", action_data: value } },
    );
  for (const text of ["123", "true", "null", "[1, 2]", "{a"]) readAs(text, text);
  readAs('{"a": 1}', { a: 1 });
  readAs('"123"', "123");
  readAs({ a: 1 }, { a: 1 });
  const note = "action_data in the file: [1]";
  check("task", { Name: "Call", action_data: [1] }, { body: { name: "Call", description: note } });
});

test("an activity without a title is named after the beginning of its text", () =>
  check(
    "task",
    { "Activity Type": "Call", Notes: "word ".repeat(40) },
    {
      body: {
        description: "word ".repeat(40).trim(),
        action: "call",
        name: `${"word ".repeat(20).trim()}…`,
      },
    },
  ));

test("an invoice of a flat file has one line, its total", () =>
  check(
    "invoice",
    { "Invoice Number": "7", Customer: "Acme", Total: "1.234,50 €" },
    {
      body: {
        invoice_num: "7",
        total_amount: 1234.5,
        invoice_line_list: [{ description: "7", amount: 1234.5 }],
      },
      warnings: [{ kind: "made_line" }],
    },
  ));

/** Cells that each field can be read from. */
const CELLS: Readonly<Partial<Record<Field["kind"], string>>> = {
  money: "5",
  number: "0.5",
  whole: "6",
  digits: "6",
  epoch: "2025-01-31",
  flag: "true",
  ssn: "123456789",
  lines: '[{"description":"x"}]',
  socials: '[{"type":"X","url":"https://social.example"}]',
  entries: '["x@example.com"]',
};
const cellFor = (field: Field): string =>
  field.kind === "choice" ? String(field.of[0]) : (CELLS[field.kind] ?? "x");

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`an upsert of ${type.table} changes only the fields of an existing record that the row contains`, () => {
    const key = { external_id: "1" };
    const options = { external_id: "external_id", default_account: "Walk-in" } as const;
    const required = type.name === "invoice" ? { invoice_num: "7", total_amount: "5" } : {};
    const named = type.fields["name"]?.required === true ? [{}, { name: "Ann" }] : [{}];
    let taken = 0;
    for (const [name, field] of Object.entries<Field>(type.fields)) {
      for (const others of named) {
        const cells = { ...key, ...required, ...others, [name]: cellFor(field) };
        const input = read(type.name, cells, options);
        if (isRefused(input)) {
          assert.match(input.reason, /the row has no name/);
          continue;
        }
        taken += 1;
        const set = [...Object.keys(input.body), ...input.references.map((one) => one.field)];
        const { sources } = mappingOf(type.name, cells, options);
        const kept = [...sources.keys(), ...input.onlyNew, input.notesIn];
        assert.deepEqual(
          set.filter((field) => !kept.includes(field)),
          [],
          name,
        );
      }
    }
    assert.ok(taken >= Object.keys(type.fields).length);
  });
}

const readJson = (name: RecordName, cells: Cells, options: MappingOptions = {}) => {
  const sample = { format: "ndjson" as const, headings: Object.keys(cells), rows: [rowOf(cells)] };
  return readRow(rowOf(cells), compileMapping(BUILT_IN_TYPES[name], sample, options));
};

/** Maps the columns `a` and `b` to the same field. */
const both = (target: string) => ({ map: { a: target, b: target } });

test("a list in a column after a used, empty or odd one is stored or becomes a note with a warning", () => {
  const list = ["vip"];
  const word = '["vip"]';
  for (const [cells, options, body, warned] of [
    [{ a: [], b: list }, both("tags"), { tags: list }, []],
    [{ a: "t", b: list }, both("title"), { title: "t" }, [word]],
    [{ a: { x: 1 }, b: list }, both("title"), {}, ['{"x":1}', word]],
    [{ a: "x", b: list }, { set: { title: "{a}" }, map: { b: "title" } }, { title: "x" }, [word]],
  ] as const) {
    const input = readJson("lead", { name: "Ann", ...cells }, options);
    assert.ok(!isRefused(input));
    const { comments, ...others } = input.body;
    assert.deepEqual(others, { name: "Ann", ...body });
    for (const one of warned) assert.ok(String(comments).includes(one));
    const words = input.warnings.map((warning) => warning.word);
    assert.deepEqual(words, warned);
  }
});

test("an object in one of several columns with free text becomes a note with a warning", () => {
  const cells = { name: "Ann", comments: "Hi", notes: [{ text: "Call" }], remarks: [] };
  const input = readJson("lead", cells);
  assert.ok(!isRefused(input));
  assert.equal(input.body["comments"], 'comments: Hi\nnotes in the file: [{"text":"Call"}]');
  const word = '[{"text":"Call"}]';
  assert.deepEqual(input.warnings, [{ kind: "unreadable_value", field: "comments", word }]);
  assert.ok(isRefused(readJson("lead", cells, { strict: true })));
});

const ODD = { odd: ["kept"] };
const NEEDED = { key: "1", name: "Ann", account_id: "Acme", invoice_num: "7", total_amount: "5" };
const UPDATE = { mode: "update", external_id: "key" } as const;

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`an object in a file of ${type.table} is stored or reported, whatever its column is read into`, () => {
    const unread = ["external_id", "is_deleted"];
    const targets = targetsOf(type).filter((name) => !unread.includes(name));
    for (const target of targets) {
      for (const options of [
        { map: { one: target } },
        { map: { one: target, two: target } },
        { set: { [target]: "{one}" } },
        { set: { [target]: "{one} {two}" } },
      ]) {
        const place = JSON.stringify(options);
        const { [target]: _, ...others } = NEEDED as Cells;
        const cells = { ...others, one: ODD, two: "x" };
        const input = readJson(type.name, cells, { ...UPDATE, ...options });
        assert.ok(!isRefused(input), place);
        assert.ok(JSON.stringify(input.body).includes("kept") || target === "ssn", place);
        const strict = readJson(type.name, cells, { ...UPDATE, ...options, strict: true });
        const isValue = JSON.stringify(input.body[target]) === JSON.stringify(ODD);
        assert.equal(isRefused(strict), !isValue, place);
      }
    }
  });
}

test("tags are separated by commas, semicolons and bars, or are a JSON list", () => {
  check(
    "lead",
    { Name: "Ann", Tags: "a; b,c|a" },
    { body: { name: "Ann", tags: ["a", "b", "c"] } },
  );
  check("lead", { Name: "Ann", Tags: '["a;b"]' }, { body: { name: "Ann", tags: ["a;b"] } });
});

test("quotes around tags and marks of address books are removed", () => {
  for (const [text, tags] of [
    ['"VIP","Trade fair, 2024"', ["VIP", "Trade fair, 2024"]],
    ['"VIP"', ["VIP"]],
    ['"Say ""yes""", plain', ['Say "yes"', "plain"]],
    ['12" pipes; "a', ['12" pipes', '"a']],
    ["* myContacts ::: Suppliers", ["myContacts", "Suppliers"]],
  ] as const) {
    check("lead", { Name: "Ann", Tags: text }, { body: { name: "Ann", tags: [...tags] } });
  }
});

const KNOWN: Readonly<Record<string, Resolution>> = {
  Acme: { id: "a".repeat(24) },
  Twin: { several: true },
};
const resolve = (_to: RecordName, text: string) => KNOWN[text] ?? ({ none: true } as const);

function settle(name: RecordName, cells: Cells) {
  const input = read(name, cells);
  assert.ok(!isRefused(input));
  const created = new Set<string>();
  return settleReferences(BUILT_IN_TYPES[name], input, {
    resolve,
    created,
    strict: false,
    isUpdate: false,
  });
}

test("a reference is looked up by each of its texts", () => {
  const input = read("deal", { Name: "Big", AccountId: "77", "Account Name": "Acme" });
  assert.ok(!isRefused(input));
  assert.deepEqual([...(wantedLookups([input]).get("account") ?? [])], ["77", "Acme"]);
  const settled = settle("deal", { Name: "Big", AccountId: "77", "Account Name": "Acme" });
  assert.ok(!isRefused(settled));
  assert.deepEqual(settled.body, { name: "Big", account_id: "a".repeat(24) });
});

test("an optional reference that matches nothing is kept as a note", () => {
  const settled = settle("contact", { Name: "Ann", "Account Name": "Nobody" });
  assert.ok(!isRefused(settled));
  assert.deepEqual(settled.body, {
    name: "Ann",
    employer_name: "Nobody",
    comments: "Account Name in the file: Nobody",
  });
  assert.deepEqual(settled.warnings, [{ kind: "unresolved", field: "account_id", word: "Nobody" }]);
});

test("a row whose required reference matches nothing or several records is rejected", () => {
  for (const [text, reason] of [
    ["Nobody", 'account_id: "Nobody" was not found'],
    ["Twin", 'account_id: several records match "Twin"'],
  ] as const) {
    const settled = settle("deal", { Name: "Big", Account: text });
    assert.ok(isRefused(settled));
    assert.equal(settled.reason, reason);
  }
});

test("an id with a list separator is looked up as it is before its parts", () => {
  for (const id of ["10|2045", "10,2045", "10;2045"]) {
    const input = read("deal", { Name: "Big", "Account ID": id });
    assert.ok(!isRefused(input));
    const wanted = input.references.flatMap(({ names }) => names.map(({ text }) => text));
    assert.deepEqual(wanted, [id, "10", "2045"]);
  }
});

test("an id that matches nothing does not hide the name next to it", () => {
  const cells = { Name: "Ann", "Primary Associated Company ID": "77;78" };
  const found = settle("contact", { ...cells, "Associated Company": "Acme" });
  assert.ok(!isRefused(found));
  assert.deepEqual(found.body, { name: "Ann", account_id: "a".repeat(24) });
  const open = settle("contact", { ...cells, "Associated Company": "Nobody" });
  assert.ok(!isRefused(open));
  assert.deepEqual(open.body, {
    name: "Ann",
    employer_name: "Nobody",
    comments: [
      "Primary Associated Company ID in the file: 77;78",
      "Associated Company in the file: Nobody",
    ].join("\n"),
  });
  const unnamed = settle("deal", { "Company ID": "77", Company: "Acme" });
  assert.ok(!isRefused(unnamed));
  assert.equal(unnamed.body["name"], "Acme");
});

test("the outcome of each reference is counted, including those of rejected rows", () => {
  assert.deepEqual(settle("deal", { Name: "Big", Account: "Acme" }).links, [
    { field: "account_id", outcome: "matched" },
  ]);
  assert.deepEqual(settle("deal", { Name: "Big", Account: "Nobody", Contact: "Twin" }).links, [
    { field: "account_id", outcome: "not_found" },
    { field: "contact_id", outcome: "ambiguous" },
  ]);
});

test("a row that the file marks as deleted is skipped", () => {
  for (const cells of [
    { Name: "Ann", IsDeleted: "true" },
    { Name: "Ann", deleted: "1" },
    { Name: "Ann", "Deleted At": "2025-01-02T03:04:05Z" },
  ]) {
    const row = read("lead", cells);
    assert.ok(isRefused(row) && row.isSkipped === true, JSON.stringify(row));
  }
  for (const cells of [
    { Name: "Ann", IsDeleted: "false" },
    { Name: "Ann", IsDeleted: "" },
    { Name: "Ann", deleted: "0" },
    ...["9999-12-31", "1900-01-01", "1970-01-01T00:00:00Z", "0001-01-01", "2026-01-02"].map(
      (date) => ({ Name: "Ann", "Deleted At": date }),
    ),
  ]) {
    check("lead", cells, { body: { name: "Ann" } });
  }
  check(
    "lead",
    { Name: "Ann", IsDeleted: "true" },
    { body: { name: "Ann" } },
    { map: { IsDeleted: "" } },
  );
});

const subjectOf = (cells: Cells, options = {}) => {
  const input = read("task", { Subject: "Call", ...cells }, options);
  assert.ok(!isRefused(input));
  return input.references.flatMap(({ names }) => names.map(({ to, text }) => `${to} ${text}`));
};

test("the subject of a task is of the type that its column allows", () => {
  assert.deepEqual(subjectOf({ WhoId: "7", WhatId: "8" }), [
    "contact 7",
    "lead 7",
    "account 8",
    "deal 8",
    "contact 8",
    "lead 8",
    "invoice 8",
    "order 8",
  ]);
  assert.deepEqual(subjectOf({ "Activity - Deal": "Big" }), ["deal Big"]);
  assert.deepEqual(subjectOf({ "Account Name": "Acme" }), ["account Acme"]);
  assert.deepEqual(subjectOf({ WhoId: "7" }, { set: { subject_type: "account" } }), ["account 7"]);
  const cells = { WhoId: "7", "Subject Type": "opportunity" };
  assert.deepEqual(subjectOf(cells), ["deal 7"]);
  assert.deepEqual(subjectOf({ Firm: "Acme; Inc" }, { set: { subject: "{Firm}" } }), [
    "contact Acme; Inc",
    "lead Acme; Inc",
  ]);
  const ids = { "Company ID": "7;8" };
  assert.deepEqual(subjectOf(ids, { set: { subject: "{Company ID}" } }), [
    "account 7;8",
    "account 7",
    "account 8",
  ]);
});

test("the contact of a task is its subject", () => {
  const settled = settle("task", { Subject: "Call", Contact: "Acme" });
  assert.ok(!isRefused(settled));
  assert.deepEqual(settled.body, {
    name: "Call",
    subject: "a".repeat(24),
    subject_type: "contact",
  });
});
