/** Merges: the resulting record's fields, the references to it, and its ids. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { importFile, assertCounts } from "../../files/imports/sending.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { fullBody, makeReferable, ok, recordsIn, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
const NOBODY = "0".repeat(24);
const MERGEABLE = Object.values(BUILT_IN_TYPES).filter(({ sameBy }) => sameBy !== undefined);

const create = async (path: string, body: Body) => ok(await acme.post(path, body)).body;
const read = async (path: string, id: unknown) => ok(await acme.get(`${path}/${String(id)}`)).body;
const merge = (path: string, into: Body, ...others: Body[]) =>
  acme.post(`${path}/${String(into["_id"])}/merge`, { ids: others.map(({ _id }) => _id) });

const STAMPS = ["version", "updated_ts", "updated_date"];
const unstamped = (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !STAMPS.includes(name)));

for (const type of MERGEABLE) {
  const path = type.writePath;
  test(`a merged ${type.name} fills empty fields, is found by its old id, and can be restored completely`, async () => {
    const survivor = await create(path, { name: "Ada Example" });
    const full = await create(path, fullBody(type, 4, refs));
    const answer = await merge(path, survivor, full);
    const merged = ok(answer).body;
    const kept = ["name", "first_name", "last_name", "status", "source", "relationship_type"];
    for (const name of Object.keys(type.fields)) {
      assert.deepEqual(merged[name], (kept.includes(name) ? survivor : full)[name], name);
    }
    assert.deepEqual([merged._id, merged.version], [survivor._id, 2]);
    assert.equal(answer.headers.get("etag"), '"v2"');
    const old = await acme.get(`${path}/${full._id}`);
    assert.equal(old.text, answer.text);
    assert.equal(old.headers.get("etag"), `"${survivor._id}-v2"`);
    assert.ok(!recordsIn(await acme.get(path)).some(({ _id }) => _id === full._id));
    const [entry] = ok(await acme.get("/crm/admin/audit", { subject_id: full._id })).body;
    assert.deepEqual(
      [entry.action, entry.fields],
      ["merged", { merged_into: { old: null, new: survivor._id } }],
    );
    const mergeId = answer.headers.get("x-merge-id");
    const undone = ok(await acme.post(`${path}/${survivor._id}/merges/${mergeId}/undo`)).body;
    assert.deepEqual(unstamped(undone), unstamped(survivor));
    const restored = await read(path, full._id);
    assert.deepEqual(unstamped(restored), unstamped(full));
    assert.deepEqual([undone.version, restored.version], [3, 3]);
    assert.equal((await acme.get(`${path}/${full._id}`)).headers.get("etag"), '"v3"');
    const [last] = ok(await acme.get(`${path}/${full._id}/history`)).body;
    assert.equal(last.action, "restored");
  });
}

const entries = (list: { type: string; email?: string; phone?: string }[]) =>
  list.map(({ type, email, phone }) => `${type} ${email ?? phone}`);

test("the survivor's values stay; each empty field takes the first value of the others", async () => {
  const path = "/crm/leads";
  const survivor = await create(path, {
    name: "Ada",
    title: "Dr.",
    email: "a@example.com",
    tags: ["one", "two"],
    phone: "+1 555 010 0001",
  });
  const second = await create(path, {
    name: "Ada Second",
    title: "Ms.",
    email: "B@example.com",
    tags: ["two", "three"],
    birth_year: 1980,
    phone: "+1 555 010 0002",
  });
  const third = await create(path, {
    name: "Ada Third",
    profession: "Analyst",
    email: "A@EXAMPLE.COM",
    tags: Array.from({ length: 10 }, (_, at) => `tag ${at}`),
    birth_month: 2,
    birth_day: 30 - 1,
  });
  const body = ok(await merge(path, survivor, second, third)).body;
  assert.deepEqual(
    [body.name, body.last_name, body.title, body.profession, body.email],
    ["Ada", null, "Dr.", "Analyst", "a@example.com"],
  );
  // A date of birth is merged as a whole. The year of one record is never combined with the day of another.
  assert.deepEqual([body.birth_year, body.birth_month, body.birth_day], [1980, null, null]);
  assert.deepEqual(body.tags.slice(0, 4), ["one", "two", "three", "tag 0"]);
  assert.equal(body.tags.length, 10);
  assert.deepEqual(entries(body.email_list), ["Main a@example.com", "Other B@example.com"]);
  assert.deepEqual(entries(body.phone_list), ["Main 15550100001", "Other 15550100002"]);
  const filter = { match_filter_dict: { email_list: "b@example.com" } };
  assert.deepEqual(recordsIn(await acme.get(path, filter)), [body]);
  // The surviving record can be sent back as it was read.
  assert.deepEqual(ok(await acme.patch(`${path}/${body._id}`, body)).body, body);
});

for (const { writePath: path, name } of MERGEABLE) {
  test(`a merge leaves the empty name of a survivor of type ${name} empty`, async () => {
    const survivor = await create(path, { name: "" });
    const body = ok(await merge(path, survivor, await create(path, { name: "Ada" }))).body;
    assert.equal(body.name, "");
  });
}

test("the main entry that fills an empty email or phone keeps its own members", async () => {
  const consent = "2024-05-01";
  const survivor = await create("/crm/leads", { name: "Ada" });
  const { email_list, phone_list, ...other } = await create("/crm/leads", {
    name: "Ada Second",
    email_list: [
      { type: "Main", email: "main@members.example", consent },
      { type: "Work", email: "work@members.example", consent },
    ],
    phone_list: [{ type: "Main", phone: "+1 212 555 0190", consent }],
  });
  const merged = ok(await merge("/crm/leads", survivor, other)).body;
  assert.deepEqual([merged.email_list, merged.phone_list], [email_list, phone_list]);
});

/** For each record type, the records that can refer to it: their path, the referring field, and a body. */
const REFERRING: Readonly<
  Record<string, readonly (readonly [string, string, (id: string) => Body])[]>
> = {
  lead: [["/crm/tasks", "subject", (id) => ({ name: "T", subject_type: "lead", subject: id })]],
  contact: [
    ["/crm/deals", "contact_id", (id) => ({ name: "D", contact_id: id })],
    ["/crm/invoices", "contact_id", (id) => ({ ...invoice(), contact_id: id })],
    ["/crm/orders", "contact_id", (id) => ({ contact_id: id })],
    ["/crm/tasks", "subject", (id) => ({ name: "T", subject_type: "contact", subject: id })],
  ],
  account: [
    ["/crm/contacts", "account_id", (id) => ({ name: "C", account_id: id })],
    ["/crm/deals", "account_id", (id) => ({ name: "D", account_id: id })],
    ["/crm/invoices", "account_id", (id) => ({ ...invoice(), account_id: id })],
    ["/crm/orders", "account_id", (id) => ({ account_id: id })],
    ["/crm/tasks", "subject", (id) => ({ name: "T", subject_type: "account", subject: id })],
  ],
};
let invoices = 0;
const invoice = (): Body => ({
  invoice_num: `M-${++invoices}`,
  account_id: refs["account"],
  total_amount: 1,
  invoice_line_list: [],
});
const writePathOf = (path: string) => (path === "/crm/deals" ? "/crm/opportunities" : path);

for (const type of MERGEABLE) {
  test(`references to a merged ${type.name} lead to the survivor, and back after an undo`, async () => {
    const path = type.writePath;
    const into = await create(path, { name: "Left" });
    const from = await create(path, { name: "Merged" });
    const made: [path: string, field: string, record: Body, bodyOf: (id: string) => Body][] = [];
    for (const [where, field, bodyOf] of REFERRING[type.name] ?? []) {
      made.push([where, field, await create(writePathOf(where), bodyOf(from._id)), bodyOf]);
    }
    // This task's subject equals the merged record's id, but the subject type shows that it is only text. The merge
    // does not change it.
    const other = { name: "T", subject_type: "newsletter", subject: from._id };
    const unrelated = await create("/crm/tasks", other);
    const answer = await merge(path, into, from);
    ok(answer);
    const shown = type.name === "lead" ? undefined : `${type.name}_name`;
    for (const [where, field, before] of made) {
      const after = await read(where, before["_id"]);
      const named = shown !== undefined && shown in before ? { [shown]: "Left" } : {};
      assert.deepEqual(unstamped(after), { ...unstamped(before), [field]: into._id, ...named });
      const [entry] = ok(await acme.get(`${where}/${String(before["_id"])}/history`)).body;
      assert.deepEqual([entry.action, entry.version], ["updated", 2]);
      assert.deepEqual(entry.fields[field], { old: from._id, new: into._id });
    }
    assert.deepEqual(await read("/crm/tasks", unrelated._id), unrelated);
    // New references to the old id are immediately stored as references to the survivor.
    for (const [where, field, , bodyOf] of made) {
      const late = await create(writePathOf(where), bodyOf(from._id));
      assert.equal(late[field], into._id);
      if (shown !== undefined && shown in late) assert.equal(late[shown], "Left");
    }
    const mergeId = answer.headers.get("x-merge-id");
    ok(await acme.post(`${path}/${into._id}/merges/${mergeId}/undo`));
    for (const [where, , before] of made) {
      const back = await read(where, before["_id"]);
      assert.deepEqual(unstamped(back), unstamped(before));
      assert.equal(back.version, 3);
    }
  });
}

test("a converted lead and its contact follow each other's merges", async () => {
  const a = await create("/crm/leads", { name: "A" });
  const b = await create("/crm/leads", { name: "B" });
  const account = await create("/crm/accounts", { name: "Old Ltd" });
  const toB = { account_id: account._id };
  const { contact_id } = ok(await acme.post(`/crm/leads/${b._id}/convert`, toB)).body;
  const merged = await merge("/crm/leads", a, b);
  assert.deepEqual(
    [ok(merged).body.converted_to_contact, merged.body.contact_id],
    [true, contact_id],
  );
  assert.equal((await read("/crm/contacts", contact_id)).source_lead_id, a._id);
  const kept = await create("/crm/contacts", { name: "Kept" });
  ok(await merge("/crm/contacts", kept, { _id: contact_id }));
  assert.equal((await read("/crm/leads", a._id)).contact_id, kept._id);
  assert.equal((await read("/crm/contacts", kept._id)).source_lead_id, a._id);
  const left = await create("/crm/accounts", { name: "Left Ltd" });
  ok(await merge("/crm/accounts", left, account));
  assert.deepEqual(ok(await acme.post(`/crm/leads/${b._id}/convert`)).body, {
    lead_id: a._id,
    contact_id: kept._id,
    account_id: left._id,
    opportunity_id: null,
  });
  // After the undo, the merged lead counts as converted again, and the survivor no longer does.
  const undo = `/crm/leads/${a._id}/merges/${merged.headers.get("x-merge-id")}/undo`;
  const undone = ok(await acme.post(undo)).body;
  assert.deepEqual([undone.converted_to_contact, undone.contact_id], [false, null]);
  const again = await read("/crm/leads", b._id);
  assert.deepEqual([again.converted_to_contact, again.contact_id], [true, kept._id]);
});

test("two leads with different contacts are merged once their contacts are merged", async () => {
  const leads = [
    await create("/crm/leads", { name: "A" }),
    await create("/crm/leads", { name: "B" }),
  ] as const;
  const contacts: Body[] = [];
  for (const { _id } of leads) {
    const { contact_id } = ok(await acme.post(`/crm/leads/${_id}/convert`)).body;
    contacts.push({ _id: contact_id });
  }
  const refused = await merge("/crm/leads", ...leads);
  assert.equal(refused.status, 409, refused.text);
  const named = new Set(refused.body.contact_ids);
  assert.deepEqual(named, new Set(contacts.map(({ _id }) => _id)));
  const [first = {}, second = {}] = contacts;
  ok(await merge("/crm/contacts", first, second));
  assert.equal(ok(await merge("/crm/leads", ...leads)).body.contact_id, first["_id"]);
});

test("the old id is accepted wherever the record's own is, through every later merge", async () => {
  const [a, b, c] = await Promise.all(
    ["A", "B", "C"].map((name) => create("/crm/leads", { name, ssn: `123-45-000${name.length}` })),
  );
  ok(await merge("/crm/leads", b, a));
  ok(await merge("/crm/leads", c, b));
  const old = `/crm/leads/${a._id}`;
  assert.equal(ok(await acme.get(old)).body._id, c._id);
  assert.equal(ok(await acme.get(old, { reveal: "ssn" })).body.ssn, "123-45-0001");
  const patched = await acme.patch(old, { title: "Dr." });
  assert.deepEqual([ok(patched).body._id, patched.body.title], [c._id, "Dr."]);
  assert.equal(patched.headers.get("etag"), `"${c._id}-v${patched.body.version}"`);
  const [entry] = ok(await acme.get(`${old}/history`)).body;
  assert.deepEqual([entry.subject_id, entry.version], [c._id, patched.body.version]);
  assert.deepEqual(ok(await acme.get(`${old}/duplicates`)).body, []);
  const merges = ok(await acme.get(`${old}/merges`)).body;
  assert.deepEqual(
    merges.map(({ merged_ids, is_undoable }: Body) => [merged_ids, is_undoable]),
    [[[b._id], true]],
  );
  const d = await create("/crm/leads", { name: "D" });
  assert.equal(ok(await merge("/crm/leads", d, a)).body._id, d._id);
  assert.equal(ok(await acme.post(`${old}/convert`)).body.lead_id, d._id);
});

test("a reference that names the same record by its old id changes nothing", async () => {
  const into = await create("/crm/accounts", { name: "Left" });
  const from = await create("/crm/accounts", { name: "Merged" });
  const deal = await create("/crm/opportunities", { name: "D", account_id: from._id });
  const contact = await create("/crm/contacts", { name: "C" });
  ok(await merge("/crm/accounts", into, from));
  const now = await read("/crm/deals", deal._id);
  // The deal was read before the merge and is sent back after it. PATCH rejects a different account for a deal, but
  // the old id refers to the same account.
  assert.deepEqual(ok(await acme.patch(`/crm/opportunities/${deal._id}`, deal)).body, now);
  const patched = await acme.patch(`/crm/contacts/${contact._id}`, { account_id: from._id });
  assert.equal(ok(patched).body.account_id, into._id);
});

test("external ids and references in files lead to the survivor of a merged record", async () => {
  const into = await create("/crm/accounts", { name: "Left", external_id: "left" });
  const from = await create("/crm/accounts", { name: "Merged", external_id: "merged" });
  ok(await merge("/crm/accounts", into, from));
  const text = "Key,Name,Industry\nmerged,Left,Steel\nleft,Left,Glass\n";
  const done = await importFile(acme, "accounts", text, { external_id: "Key" });
  assertCounts(done, { rows: 2, updated: 2 });
  const after = await read("/crm/accounts", into._id);
  assert.deepEqual([after.external_id, after.industry], ["left", "Glass"]);
  const deals = "Name,Account\nFirst,merged\nSecond," + String(from._id) + "\n";
  assertCounts(await importFile(acme, "deals", deals), { rows: 2, created: 2 });
  const filter = { match_filter_dict: { account_id: into._id } };
  assert.equal(recordsIn(await acme.get("/crm/deals", filter)).length, 2);
});

const lead = await create("/crm/leads", { name: "Survivor" });
const gone = await create("/crm/leads", { name: "Gone" });
ok(await merge("/crm/leads", lead, gone));
const contact = await create("/crm/contacts", { name: "Contact" });
const rival = await api.tenant();
const theirs = ok(await rival.post("/crm/leads", { name: "Theirs" })).body;
const spare = await create("/crm/leads", { name: "Spare" });

const REFUSED: readonly (readonly [what: string, body: unknown, faults: readonly string[]])[] = [
  ["no body", undefined, ["body missing"]],
  ["no ids", {}, ["body.ids missing"]],
  ["an empty list", { ids: [] }, ["body.ids too_short"]],
  ["too many", { ids: Array(21).fill(spare._id) }, ["body.ids too_long"]],
  ["an id that is no text", { ids: [5] }, ["body.ids.0 string_type"]],
  ["another member", { ids: [spare._id], x: 1 }, ["body.x extra_forbidden"]],
  ["itself", { ids: [spare._id, lead._id] }, ["body.ids.1 value_error"]],
  ["what was merged into it", { ids: [gone._id] }, ["body.ids.0 value_error"]],
  ["one twice", { ids: [spare._id, spare._id] }, ["body.ids.1 value_error"]],
  [
    "no record, a record of another type and one of another tenant",
    { ids: [NOBODY, contact._id, theirs._id, "x"] },
    [0, 1, 2, 3].map((at) => `body.ids.${at} value_error`),
  ],
];

for (const [what, body, faults] of REFUSED) {
  test(`merging ${what} is rejected, and nothing is half done`, async () => {
    const [before] = await api.sql`select count(*)::int as count from changes`;
    const answer = await acme.post(`/crm/leads/${lead._id}/merge`, body);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      answer.body.detail.map(({ loc, type }: { loc: string[]; type: string }) =>
        [loc.join("."), type].join(" "),
      ),
      faults,
    );
    assert.deepEqual((await api.sql`select count(*)::int as count from changes`)[0], before);
  });
}

test("a record with too many references is not merged, and nothing is half done", async () => {
  const into = await create("/crm/leads", { name: "Left" });
  const from = await create("/crm/leads", { name: "Crowded" });
  const about = { name: "T", subject_type: "lead", subject: from._id };
  const task = await create("/crm/tasks", about);
  await api.sql`
    insert into tasks (tenant_id, id, body, subject_type, subject, tags,
                       created_ts, updated_ts, status_update_date, version)
    select tenant_id, lpad(to_hex(n), 24, '0'), body, subject_type, subject, tags,
           created_ts, updated_ts, status_update_date, version
      from tasks, generate_series(1, 5000) n where id = ${task._id}`;
  const answer = await merge("/crm/leads", into, from);
  assert.equal(answer.status, 409, answer.text);
  assert.match(answer.body.detail, /5000/);
  assert.deepEqual(await read("/crm/leads", from._id), from);
  assert.equal((await read("/crm/tasks", task._id)).version, 1);
  await api.sql`delete from tasks where subject = ${from._id} and id <> ${task._id}`;
});

test("the guide describes what a merge does with each field", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/duplicates.md"), "utf8");
  const missing = MERGEABLE.flatMap(({ fields, derived }) => [
    ...Object.keys(fields),
    ...Object.keys(derived).filter((name) => derived[name]?.kind !== "copy"),
  ]).filter((name) => !guide.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test("every type that can be merged defines how duplicates are found", () => {
  assert.deepEqual(
    MERGEABLE.map(({ name }) => name),
    ["lead", "contact", "account"],
  );
  assert.equal(BUILT_IN_TYPES.deal.sameBy, undefined);
});
