/** How an import updates existing records: a row with fewer values removes nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { assertCounts, importFile, recordsOf } from "./sending.ts";

const api = await sharedApi();

type Entry = Readonly<Record<string, unknown>>;

const TYPES = [
  ["leads", "/crm/leads"],
  ["contacts", "/crm/contacts"],
  ["accounts", "/crm/accounts"],
] as const;

/** Creates a lead, contact or account with the external id n1. */
const stored = async (acme: Client, path: string, body: object) => {
  const answer = await acme.post(path, { name: "Ann Lee", external_id: "n1", ...body });
  assert.equal(answer.status, 200, answer.text);
};

const upserted = (acme: Client, type: string, file: string) =>
  importFile(acme, type, file, { mode: "upsert", external_id: "Key" });

const only = async (acme: Client, path: string) => (await recordsOf(acme, path))[0] as Entry;

const textsIn = (record: Entry, kind: string) =>
  (record[`${kind}_list`] as readonly Entry[]).map(
    (entry) => `${String(entry["type"])} ${String(entry[kind])}`,
  );

const LIST = [
  { type: "Main", email: "a@x.example", verified_by: "z" },
  { type: "Work", email: "b@x.example", since: 2020 },
  { type: "Home", email: "typed@x.example" },
];

/** The columns of an imported row, and the record's email addresses after the import. */
const EMAILS: readonly (readonly [
  columns: Readonly<Record<string, string>>,
  list: readonly string[],
])[] = [
  [
    { Email: "a@x.example", "Email 2": "b@x.example" },
    ["Main a@x.example", "Work b@x.example", "Home typed@x.example"],
  ],
  [
    { Email: "a@x.example", "Email 2": "new@x.example" },
    ["Main a@x.example", "Work b@x.example", "Home typed@x.example", "Other new@x.example"],
  ],
  [{ Email: "new@x.example" }, ["Main new@x.example", "Work b@x.example", "Home typed@x.example"]],
  [
    { Email: "new@x.example", "Email 2": "a@x.example" },
    ["Main new@x.example", "Work b@x.example", "Home typed@x.example", "Other a@x.example"],
  ],
  [{ Email: "B@x.example" }, ["Main a@x.example", "Work b@x.example", "Home typed@x.example"]],
  [
    { Email: "b@x.example", "Home Email": "new@x.example" },
    ["Main a@x.example", "Work b@x.example", "Home typed@x.example", "Home new@x.example"],
  ],
];

for (const [type, path] of TYPES) {
  for (const [columns, list] of EMAILS) {
    test(`${type}: ${JSON.stringify(columns)} adds to the addresses of a record`, async () => {
      const acme = await api.tenant();
      await stored(acme, path, { email_list: LIST });
      const names = Object.keys(columns).join(",");
      const file = `Key,${names}\nn1,${Object.values(columns).join(",")}\n`;
      const options = { mode: "update", external_id: "Key" };
      const done = await importFile(acme, type, file, options);
      assert.equal(done["refused"], 0, JSON.stringify(done.rejects));
      const record = await only(acme, path);
      assert.deepEqual(textsIn(record, "email"), list);
      const [main, work] = record["email_list"] as readonly Entry[];
      assert.equal(record["email"], main?.["email"]);
      assert.equal(main?.["verified_by"], record["email"] === "a@x.example" ? "z" : undefined);
      assert.equal(work?.["since"], 2020);
      const again = await importFile(acme, type, file, options);
      assertCounts(again, { rows: 1, unchanged: 1 });
    });
  }

  test(`${type}: numbers are added to those of a record`, async () => {
    const acme = await api.tenant();
    await stored(acme, path, {
      phone_list: [
        { type: "Main", phone: "415-555-0100" },
        { type: "Work", phone: "415-555-0101" },
        { type: "Home", phone: "415-555-0102" },
      ],
    });
    const file = "Key,Phone,Phone 2\nn1,(415) 555 0101,415.555.0103\n";
    await importFile(acme, type, file, { mode: "update", external_id: "Key" });
    const record = await only(acme, path);
    assert.deepEqual(textsIn(record, "phone"), [
      "Main 14155550100",
      "Work 14155550101",
      "Home 14155550102",
      "Other 14155550103",
    ]);
    assert.equal(record["phone"], "415-555-0100");
  });
}

test("an additional email becomes the main one if the record has none", async () => {
  const acme = await api.tenant();
  await stored(acme, "/crm/leads", { email_list: [{ type: "Work", email: "b@x.example" }] });
  await upserted(acme, "leads", "Key,Name,Email\nn1,Ann Lee,b@x.example\n");
  const record = await only(acme, "/crm/leads");
  assert.deepEqual(textsIn(record, "email"), ["Main b@x.example"]);
});

test("a list that the file contains completely replaces that of the record", async () => {
  const acme = await api.tenant();
  await stored(acme, "/crm/leads", { email_list: LIST });
  const cell = '"[{""type"":""Main"",""email"":""c@x.example""}]"';
  const file = `Key,Name,email_list\nn1,Ann Lee,${cell}\n`;
  assertCounts(await upserted(acme, "leads", file), { rows: 1, updated: 1 });
  assert.deepEqual(textsIn(await only(acme, "/crm/leads"), "email"), ["Main c@x.example"]);
});

test("more entries than a record can have reject the row instead of removing others", async () => {
  const acme = await api.tenant();
  const all = Array.from({ length: 50 }, (_, at) => `a${at}@x.example`);
  await stored(acme, "/crm/leads", { email_list: all });
  const done = await upserted(
    acme,
    "leads",
    "Key,Name,Email,Email 2\nn1,Ann Lee,a0@x.example,n@x.example\n",
  );
  assertCounts(done, { rows: 1, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /email_list: List should have at most 50 items/);
});

for (const [column, field, value, other] of [
  ["First Name", "first_name", "Bea", "last_name"],
  ["Last Name", "last_name", "Li", "first_name"],
] as const) {
  test(`an upsert of only the ${field} keeps the name and the ${other}`, async () => {
    const acme = await api.tenant();
    await stored(acme, "/crm/contacts", { first_name: "Ann", last_name: "Lee" });
    assertCounts(await upserted(acme, "contacts", `Key,${column}\nn1,${value}\n`), {
      rows: 1,
      updated: 1,
    });
    const record = await only(acme, "/crm/contacts");
    const kept = other === "last_name" ? "Lee" : "Ann";
    const found = { name: record["name"], [field]: record[field], [other]: record[other] };
    assert.deepEqual(found, { name: "Ann Lee", [field]: value, [other]: kept });
    await upserted(acme, "contacts", `Key,${column}\nn2,${value}\n`);
    assert.equal((await only(acme, "/crm/contacts"))["name"], value);
  });
}

test("an upsert stores the first and last name of its row, and changes nothing the second time", async () => {
  const acme = await api.tenant();
  await stored(acme, "/crm/contacts", { name: "Eva Moreno" });
  for (const counts of [{ updated: 1 }, { unchanged: 1 }]) {
    const done = await upserted(acme, "contacts", "Key,First Name,Last Name\nn1,Eva,Moreno Diaz\n");
    assertCounts(done, { rows: 1, ...counts });
    const { name, first_name, last_name } = await only(acme, "/crm/contacts");
    assert.deepEqual([name, first_name, last_name], ["Eva Moreno Diaz", "Eva", "Moreno Diaz"]);
  }
});

test("a company that is not found becomes the employer of new contacts only", async () => {
  const acme = await api.tenant();
  await stored(acme, "/crm/contacts", { employer_name: "Real Employer" });
  const file = "Key,Name,Account Name\nn1,Ann Lee,Unknown Co\nn2,Bo,Unknown Co\n";
  assertCounts(await upserted(acme, "contacts", file), { rows: 2, created: 1, updated: 1 });
  const [bo, ann] = await recordsOf(acme, "/crm/contacts");
  assert.equal(ann?.["employer_name"], "Real Employer");
  assert.equal(ann?.["comments"], "Account Name in the file: Unknown Co");
  assert.equal(bo?.["employer_name"], "Unknown Co");
});

test("an upsert without line columns keeps the lines of an invoice", async () => {
  const acme = await api.tenant();
  const account = await acme.post("/crm/accounts", { name: "Globex" });
  const lines = [1, 2, 3].map((amount) => ({ description: `Line ${amount}`, amount }));
  const invoice = { external_id: "n1", invoice_num: "1", total_amount: 6 };
  await acme.post("/crm/invoices", {
    ...invoice,
    account_id: account.body._id,
    invoice_line_list: lines,
  });
  const before = (await only(acme, "/crm/invoices"))["invoice_line_list"];
  const file = "Key,Invoice Number,Account,Total,Description\nn1,1,Globex,6,New text\n";
  const done = await upserted(acme, "invoices", file);
  assertCounts(done, { rows: 1, updated: 1 });
  assert.deepEqual(done["warnings"], {});
  const record = await only(acme, "/crm/invoices");
  assert.deepEqual([record["description"], record["invoice_line_list"]], ["New text", before]);
  const created = await upserted(acme, "invoices", file.replace("n1,1", "n2,2"));
  assert.deepEqual(created["warnings"], { made_line: 1 });
});

test("rows that name one record by different ids change it in the order of the file", async () => {
  const acme = await api.tenant();
  const made = await Promise.all(
    ["old", "new"].map((external_id) => acme.post("/crm/leads", { name: "Ann Lee", external_id })),
  );
  const [from, into] = made.map(({ body }) => String(body._id));
  const merged = await acme.post(`/crm/leads/${into}/merge`, { ids: [from] });
  assert.equal(merged.status, 200, merged.text);
  const rows = [
    ["new", "first"],
    ["old", "second"],
    ["new", "third"],
    ["old", "fourth"],
    ["new", "last"],
  ].map(([key, title]) => `${key},Ann Lee,${title}`);
  const done = await upserted(acme, "leads", ["Key,Name,Title", ...rows].join("\n"));
  assertCounts(done, { rows: 5, updated: 5 });
  const record = await only(acme, "/crm/leads");
  assert.deepEqual([record["_id"], record["title"]], [into, "last"]);
  const { body: history } = await acme.get(`/crm/leads/${into}/history`);
  type Change = { readonly fields: Readonly<Record<string, { readonly new: unknown }>> };
  const titles = (history as readonly Change[]).flatMap(({ fields }) => fields["title"]?.new ?? []);
  assert.deepEqual(titles, ["last", "fourth", "third", "second", "first"]);
});

/** The status of a stored record, the columns of a row that updates it, and the expected members and warnings. */
const BY_STATUS: readonly (readonly [
  type: string,
  status: string,
  row: Readonly<Record<string, string>>,
  expected: Entry,
  warnings?: Entry,
])[] = [
  [
    "deals",
    "closed_won",
    { "Close Date": "2025-02-05" },
    { close_date: 1_738_713_600, expected_close_date: null },
  ],
  ["deals", "draft", { "Close Date": "2025-02-05" }, { expected_close_date: 1_738_713_600 }],
  [
    "deals",
    "closed_lost",
    { "Lost reason": "Price" },
    { lost_reason: "Price", business_need_description: null },
  ],
  ["tasks", "completed", { completed_date: "2025-02-05" }, { completed_date: 1_738_713_600 }],
  [
    "tasks",
    "assigned",
    { completed_date: "2025-02-05" },
    { completed_date: null, description: "completed_date in the file: 1738713600" },
    { unreadable_value: 1 },
  ],
];

for (const [type, status, row, expected, warnings = {}] of BY_STATUS) {
  for (const mode of ["update", "upsert"]) {
    test(`${mode}: ${Object.keys(row).join()} of a stored record in ${type} that is ${status}`, async () => {
      const acme = await api.tenant();
      const { id } = (await acme.post("/crm/accounts", { name: "Globex" })).body;
      const isDeal = type === "deals";
      const own = isDeal ? { account_id: id, stage: status } : { status };
      await stored(acme, isDeal ? "/crm/opportunities" : "/crm/tasks", own);
      const cells = { Key: "n1", Name: "Ann Lee", ...(isDeal && { Account: "Globex" }), ...row };
      const file = `${Object.keys(cells).join()}\n${Object.values(cells).join()}\n`;
      const done = await importFile(acme, type, file, { mode, external_id: "Key" });
      assertCounts(done, { rows: 1, updated: 1 });
      assert.deepEqual(done["warnings"], warnings);
      const record = await only(acme, `/crm/${type}`);
      const names = Object.keys(expected);
      assert.deepEqual(Object.fromEntries(names.map((name) => [name, record[name]])), expected);
    });
  }
}
