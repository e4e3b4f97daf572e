/** Import modes: new records, existing records, or both, and which records are affected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { assertCounts, importFile, prepare, recordsOf } from "./sending.ts";

const api = await sharedApi();

const namesOf = async (client: Client, path: string) =>
  (await recordsOf(client, path)).map(({ name }) => name);

test("a column that is called id is never silently the key", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/contacts", { name: "Old", external_id: "1" });
  const done = await importFile(acme, "contacts", "id,name\n1,New\n2,Bo\n2,Bob\n");
  assertCounts(done, { rows: 3, created: 1, refused: 2 });
  assert.match(
    done.rejects[0]?.reason ?? "",
    /^existing_id: the contact \w{24} already has the external_id "1"$/,
  );
  assert.equal(done.rejects[1]?.line, 4);
  assert.deepEqual(await namesOf(acme, "/crm/contacts"), ["Bo", "Old"]);
  const [bo] = await recordsOf(acme, "/crm/contacts");
  assert.equal(bo?.["external_id"], "2");
});

const rowOf = (name: string) => `7,${name},Globex,N-${name},5\n`;

for (const type of ["lead", "contact", "account", "deal", "invoice", "order", "task"]) {
  test(`a second import of a ${type} file with an id column changes nothing`, async () => {
    const acme = await api.tenant();
    await acme.post("/crm/accounts", { name: "Globex" });
    const head = "id,name,account,invoice_num,total_amount\n";
    assertCounts(await importFile(acme, type, head + rowOf("First")), { rows: 1, created: 1 });
    const again = await importFile(acme, type, head + rowOf("Second"));
    assertCounts(again, { rows: 1, refused: 1 });
    assert.match(again.rejects[0]?.reason ?? "", /^existing_id: /);
  });
}

const FILE = "Key,name,title\n1,Ann,Dr\n2,Bo,Prof\n,Cy,\n";
const MODES = [
  ["create", { created: 2, refused: 1 }, /existing_id: .* "1"/, ["Cy", "Bo", "Old"]],
  ["update", { updated: 1, refused: 2 }, /unknown_id: no lead has the external_id "2"/, ["Ann"]],
  ["upsert", { created: 2, updated: 1 }, /^$/, ["Cy", "Bo", "Ann"]],
] as const;

for (const [mode, counts, reason, names] of MODES) {
  test(`mode ${mode} with a named key`, async () => {
    const acme = await api.tenant();
    await acme.post("/crm/leads", { name: "Old", external_id: "1" });
    const done = await importFile(acme, "leads", FILE, { mode, external_id: "Key" });
    assertCounts(done, { rows: 3, ...counts });
    assert.match(done.rejects[0]?.reason ?? "", reason);
    assert.deepEqual(await namesOf(acme, "/crm/leads"), names);
  });
}

const KEYS = [
  { external_id: "Key" },
  { map: { Key: "external_id" } },
  { set: { external_id: "{Key}" } },
];

for (const named of KEYS) {
  test(`a key named by ${Object.keys(named)[0]} implies an upsert, and allows every mode`, async () => {
    const acme = await api.tenant();
    const counts = { rows: 3, created: 3 };
    assertCounts(await importFile(acme, "leads", FILE, named), counts);
    const again = FILE.replace("Ann,Dr", "Ann,Sir");
    const changed = await importFile(acme, "leads", again, named);
    assertCounts(changed, { rows: 3, created: 1, updated: 1, unchanged: 1 });
    for (const mode of ["create", "update", "upsert"])
      await prepare(acme, "leads", { ...named, mode });
  });
}

const file = (column: string, value: string) => `Key,${column}\n1,${value}\n`;

test("an update needs only the key and the columns that change", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex", external_id: "A" });
  const lines = [{ description: "x", amount: 3 }];
  const of = { account_id: (await recordsOf(acme, "/crm/accounts"))[0]?.["_id"], external_id: "1" };
  await acme.post("/crm/contacts", { name: "Ann Lee", external_id: "1" });
  await acme.post("/crm/opportunities", { name: "Deal", ...of });
  await acme.post("/crm/invoices", {
    ...of,
    invoice_num: "N",
    total_amount: 3,
    invoice_line_list: lines,
  });
  const options = { mode: "update", external_id: "Key" };
  const updated = { rows: 1, updated: 1 };
  assertCounts(await importFile(acme, "contacts", file("title", "Dr"), options), updated);
  assertCounts(await importFile(acme, "contacts", file("first_name", "Anna"), options), updated);
  assertCounts(await importFile(acme, "deals", file("value_of_sale", "5"), options), updated);
  assertCounts(await importFile(acme, "invoices", file("description", "new"), options), updated);
  const [contact] = await recordsOf(acme, "/crm/contacts");
  assert.equal(contact?.["title"], "Dr");
  assert.equal(contact?.["name"], "Ann Lee");
  assert.equal((await recordsOf(acme, "/crm/deals"))[0]?.["name"], "Deal");
  const [invoice] = await recordsOf(acme, "/crm/invoices");
  assert.deepEqual(invoice?.["total_amount"], 3);
});

test("our own export changes the records that it came from only if _id is named as the key", async () => {
  const acme = await api.tenant();
  for (const name of ["Ann", "Bo"]) await acme.post("/crm/leads", { name, title: "Mr" });
  const file = (await acme.get("/crm/leads/export", { format: "csv" })).text;
  const edited = file.replaceAll("Mr", "Dr");
  const named = { external_id: "_id", mode: "update" };
  assertCounts(await importFile(acme, "leads", edited, named), { rows: 2, updated: 2 });
  const leads = await recordsOf(acme, "/crm/leads");
  assert.deepEqual(
    leads.map(({ name, title, external_id }) => [name, title, external_id]),
    [
      ["Bo", "Dr", null],
      ["Ann", "Dr", null],
    ],
  );
  const upsert = await importFile(acme, "leads", edited, { external_id: "_id" });
  assertCounts(upsert, { rows: 2, unchanged: 2 });
  const rejected = await importFile(acme, "leads", edited, { external_id: "_id", mode: "create" });
  assertCounts(rejected, { rows: 2, refused: 2 });
  assert.match(
    rejected.rejects[0]?.reason ?? "",
    /^existing_id: the lead \w{24} already has this _id$/,
  );
  assertCounts(await importFile(acme, "leads", edited), { rows: 2, created: 2 });
});

for (const mode of ["update", "upsert"]) {
  test(`mode ${mode} adds values without a field to the text of the record, once`, async () => {
    const acme = await api.tenant();
    await acme.post("/crm/leads", { name: "Ann", external_id: "1", comments: "Met at a fair" });
    const options = { mode, external_id: "Key" };
    const row = "Key,name,decision_date,comments\n1,Ann,someday,";
    assertCounts(await importFile(acme, "leads", `${row}\n`, options), { rows: 1, updated: 1 });
    const commentsOf = async () => (await recordsOf(acme, "/crm/leads"))[0]?.["comments"];
    const both = "Met at a fair\ndecision_date in the file: someday";
    assert.equal(await commentsOf(), both);
    assertCounts(await importFile(acme, "leads", `${row}\n`, options), { rows: 1, unchanged: 1 });
    assert.equal(await commentsOf(), both);
    await importFile(acme, "leads", `${row}New text\n`, options);
    assert.equal(await commentsOf(), "New text\ndecision_date in the file: someday");
    const [lead] = await recordsOf(acme, "/crm/leads");
    const { max } = BUILT_IN_TYPES.lead.fields["comments"] as { max: number };
    await acme.patch(`/crm/leads/${String(lead?.["_id"])}`, { comments: "x".repeat(max) });
    const text = `Key,name,title,decision_date\n1,Ann,Dr,someday\n2,Bo,,\n`;
    await acme.post("/crm/leads", { name: "Bo", external_id: "2" });
    for (const dry_run of [true, false]) {
      const full = await importFile(acme, "leads", text, { ...options, dry_run });
      assertCounts(full, { rows: 2, updated: 1, unchanged: 1 });
      assert.deepEqual(full["warnings"], { unreadable_value: 1, note_omitted: 1 });
    }
    const { body } = await acme.get(`/crm/leads/${String(lead?.["_id"])}`);
    assert.deepEqual([body.title, body.comments], ["Dr", "x".repeat(max)]);
  });
}

for (const mode of ["update", "upsert"]) {
  test(`mode ${mode} without a key is rejected`, async () => {
    const acme = await api.tenant();
    const answer = await acme.post("/crm/imports", { type: "leads", mode });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.detail[0].loc, ["body", "mode"]);
    assert.match(answer.body.detail[0].msg, /requires external_id/);
  });
}

test("a preview shows the first five records that would change, before and after", async () => {
  const acme = await api.tenant();
  for (const key of [1, 2, 3, 4, 5, 6]) {
    await acme.post("/crm/leads", { name: `Lead ${key}`, external_id: `${key}`, title: "Mr" });
  }
  const keys = [1, 2, 2, 3, 4, 5, 6, 7];
  const text = `Key,name,title,ssn\n${keys.map((key) => `${key},Lead ${key},Dr,123-45-6789\n`).join("")}`;
  const options = { mode: "upsert", external_id: "Key", dry_run: true };
  const done = await importFile(acme, "leads", text, options);
  assertCounts(done, { rows: 8, created: 1, updated: 6, unchanged: 1 });
  const examples = done["examples"] as readonly Record<string, unknown>[];
  assert.equal(examples.length, 5);
  const [first] = await recordsOf(acme, "/crm/leads").then((leads) => leads.toReversed());
  assert.deepEqual(examples[0], {
    line: 2,
    id: first?.["_id"],
    name: "Lead 1",
    before: { title: "Mr", ssn: null },
    after: { title: "Dr", ssn: "***-**-6789" },
  });
  assert.deepEqual(
    examples.map(({ line }) => line),
    [2, 3, 5, 6, 7],
  );
  assert.equal(first?.["title"], "Mr");
  const stored = await acme.get(`/crm/imports/${done.id}`);
  assert.deepEqual(stored.body.examples, examples);
  const real = await importFile(acme, "leads", text, { ...options, dry_run: false });
  assert.deepEqual(real["examples"], []);
});

test("a preview shows the part of long values that differs", async () => {
  const acme = await api.tenant();
  const before = "🎈".repeat(300);
  await acme.post("/crm/leads", { name: "Ann", external_id: "1", comments: before, tags: ["a"] });
  const tags = Array.from({ length: 10 }, (_, at) => `${at}${"x".repeat(30)}`);
  const text = `Key,comments,tags\n1,${before}and more,${tags.join("|")}\n`;
  const options = { mode: "update", external_id: "Key", dry_run: true };
  const done = await importFile(acme, "leads", text, options);
  const [example] = done["examples"] as readonly Record<
    "before" | "after",
    Record<string, unknown>
  >[];
  assert.match(String(example?.after["comments"]), /^…(🎈){20}and more$/u);
  assert.match(String(example?.before["comments"]), /^…(🎈){20}$/u);
  assert.deepEqual(example?.before["tags"], ["a"]);
  assert.match(String(example?.after["tags"]), /^\["0x.{196}…$/);
});

const row = (key: number, title: string) => `${key},Lead ${key},${title}\n`;

test("a preview counts each existing record once, however many rows change it", async () => {
  const acme = await api.tenant();
  for (const key of [1, 2, 3]) {
    await acme.post("/crm/leads", { name: `Lead ${key}`, external_id: `${key}`, title: "Mr" });
  }
  // The first row with key 2 changes nothing. Key 3 already has the value in the file, and key 9 is created by the
  // file.
  const rows = [
    row(1, "A"),
    row(1, "B"),
    row(2, "Mr"),
    row(2, "C"),
    row(3, "Mr"),
    row(9, "D"),
    row(9, "E"),
  ];
  const options = { mode: "upsert", external_id: "Key", dry_run: true };
  const done = await importFile(acme, "leads", `Key,name,title\n${rows.join("")}`, options);
  assertCounts(done, { rows: 7, created: 1, updated: 4, unchanged: 2 });
  assert.equal(done["changed_records"], 2);
  const lines = (done["examples"] as readonly { line: number }[]).map(({ line }) => line);
  assert.deepEqual(lines, [2, 5]);
  // Each chunk of a dry run is rolled back separately, so rows in a later chunk do not see changes from earlier chunks.
  const many = Array.from({ length: 2500 }, (_, at) => row((at % 2) + 1, "Dr"));
  const large = await importFile(acme, "leads", `Key,name,title\n${many.join("")}`, options);
  assert.equal(large["changed_records"], 2);
  assert.equal((large["examples"] as readonly unknown[]).length, 2);
  const none = await importFile(acme, "leads", `Key,name,title\n${row(3, "Mr")}`, options);
  assert.equal(none["changed_records"], 0);
  const real = { ...options, dry_run: false };
  const written = await importFile(acme, "leads", `Key,name,title\n${rows.join("")}`, real);
  assert.equal(written["changed_records"], null);
});

test("a subject type that is set by hand says where subjects are looked up", async () => {
  const acme = await api.tenant();
  const { body: account } = await acme.post("/crm/accounts", { name: "Globex", external_id: "5" });
  const { body: contact } = await acme.post("/crm/contacts", { name: "Ann", external_id: "5" });
  const text = "name,Kind,subject\nCall,Firm,5\n";
  const linked = async (options: object) => {
    const done = await importFile(acme, "tasks", text, options);
    assertCounts(done, { rows: 1, created: 1 });
    const [task] = await recordsOf(acme, "/crm/tasks");
    return [task?.["subject_type"], task?.["subject"]];
  };
  assert.deepEqual(await linked({ set: { subject_type: "account" } }), ["account", account._id]);
  assert.deepEqual(await linked({ map: { subject: "subject" } }), ["contact", contact._id]);
  const mapped = { map: { Kind: "subject_type" }, values: { subject_type: { Firm: "account" } } };
  assert.deepEqual(await linked(mapped), ["account", account._id]);
  const templated = { set: { subject_type: "{Kind}" }, values: { Kind: { Firm: "account" } } };
  assert.deepEqual(await linked(templated), ["account", account._id]);
});

test("references that are set by hand are looked up as those of columns are", async () => {
  const acme = await api.tenant();
  const { body: globex } = await acme.post("/crm/accounts", { name: "Globex Inc" });
  const { body: initech } = await acme.post("/crm/accounts", { name: "Initech" });
  const text = "name,Brand,account\nOne,Globex,Initech\nTwo,,Initech\n";
  const done = await importFile(acme, "deals", text, { set: { account_id: "{Brand} Inc" } });
  assertCounts(done, { rows: 2, created: 2 });
  const deals = await recordsOf(acme, "/crm/deals");
  assert.deepEqual(
    deals.map(({ account_id }) => account_id),
    [initech._id, globex._id],
  );
  const subject = await importFile(acme, "tasks", "name\nCall\n", {
    set: { subject_type: "account", subject: "Initech" },
  });
  assertCounts(subject, { rows: 1, created: 1 });
  assert.equal((await recordsOf(acme, "/crm/tasks"))[0]?.["subject"], initech._id);
});

test("missing accounts are created for changed rows, too, and not by a dry run", async () => {
  const acme = await api.tenant();
  await importFile(acme, "contacts", "name,Key\nAnn,1\n", { external_id: "Key" });
  const text = "Key,account\n1,Hooli\n2,Pied Piper\n";
  const options = { external_id: "Key", mode: "update", create_accounts: true };
  const preview = await importFile(acme, "contacts", text, { ...options, dry_run: true });
  assertCounts(preview, { rows: 2, updated: 1, refused: 1 });
  const [example] = preview["examples"] as readonly { readonly after: object }[];
  assert.ok(example !== undefined && "account_id" in example.after);
  assert.deepEqual(await recordsOf(acme, "/crm/accounts"), []);
  const done = await importFile(acme, "contacts", text, options);
  assertCounts(done, { rows: 2, updated: 1, refused: 1 });
  const hooli = (await recordsOf(acme, "/crm/accounts")).find(({ name }) => name === "Hooli");
  const [ann] = await recordsOf(acme, "/crm/contacts");
  assert.equal(ann?.["account_id"], hooli?.["_id"]);
});
