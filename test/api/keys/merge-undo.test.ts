/** A merge can be undone for 30 days: what is restored, which later changes are kept, and when an undo is rejected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetMerges } from "../../../src/records/merge/index.ts";
import { movableClock } from "../../kit/clock.ts";
import type { Answer } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../samples.ts";

const clock = movableClock();
const api = await fileApi({ clock });
const acme = await api.tenant();

const LEADS = "/crm/leads";
const create = async (body: Body, path = LEADS) => ok(await acme.post(path, body)).body;
const read = async (id: unknown, path = LEADS) => ok(await acme.get(`${path}/${String(id)}`)).body;

/** Merges records into another one. Returns a function that undoes the merge. */
async function merge(into: Body, others: readonly Body[], path = LEADS) {
  const at = `${path}/${String(into["_id"])}`;
  const answer = await acme.post(`${at}/merge`, { ids: others.map(({ _id }) => _id) });
  ok(answer);
  const mergeId = answer.headers.get("x-merge-id");
  return { mergeId, undo: () => acme.post(`${at}/merges/${mergeId}/undo`) };
}

test("later changes stay, and everything else is restored", async () => {
  const into = await create({ name: "Ada", tags: ["own"] });
  const from = await create({
    name: "Ada B.",
    title: "Dr.",
    profession: "Analyst",
    email: "b@example.com",
    phone: "+1 555 010 0003",
    tags: ["theirs", "also theirs"],
    external_id: "b-1",
    ssn: "123-45-6789",
    social_dict_list: [{ type: "Linkedin", url: "https://example.com/b" }],
  });
  const { undo } = await merge(into, [from]);
  const since = {
    title: "Prof.",
    email: "new@example.com",
    tags: ["own", "theirs", "since"],
    ssn: "123-45-0001",
  };
  ok(await acme.patch(`${LEADS}/${into._id}`, since));
  const undone = ok(await undo()).body;
  assert.deepEqual(
    [undone.title, undone.profession, undone.phone, undone.external_id, undone.ssn],
    ["Prof.", null, null, null, "***-**-0001"],
  );
  assert.deepEqual(undone.tags, ["own", "since"]);
  assert.deepEqual(undone.social_dict_list, []);
  assert.deepEqual(undone.phone_list, []);
  const addresses = undone.email_list.map(({ email }: Body) => email);
  assert.deepEqual(addresses, ["new@example.com"]);
  const shown = { reveal: "ssn" };
  const [one, other] = [into, from].map(({ _id }) => acme.get(`${LEADS}/${_id}`, shown));
  assert.equal(ok((await one) as never).body.ssn, "123-45-0001");
  assert.equal(ok((await other) as never).body.ssn, "123-45-6789");
});

test("a number that the merge brought is removed, and a later one with the same last digits stays", async () => {
  const into = await create({ name: "Ada" });
  const from = await create({ name: "B", ssn: "123-45-6789" });
  const first = await merge(into, [from]);
  const shown = { reveal: "ssn" };
  assert.equal(ok(await acme.get(`${LEADS}/${into._id}`, shown)).body.ssn, "123-45-6789");
  assert.equal(ok(await first.undo()).body.ssn, null);
  const second = await merge(into, [from]);
  ok(await acme.patch(`${LEADS}/${into._id}`, { ssn: "999-99-6789" }));
  assert.equal(ok(await second.undo()).body.ssn, "***-**-6789");
  assert.equal(ok(await acme.get(`${LEADS}/${into._id}`, shown)).body.ssn, "999-99-6789");
  const [row] = await api.sql`select internal from leads where id = ${into._id}`;
  assert.deepEqual(Object.keys(row?.["internal"]), ["ssn"]);
});

test("an address of the survivor that the merge made its main entry gets its type back", async () => {
  const email_list = [
    { type: "Work", email: "Ada@undo.example", note: "office" },
    { type: "Home", email: "home@undo.example" },
  ];
  const into = await create({ name: "Ada", email_list });
  const consent = [{ type: "Main", email: "ada@undo.example", consent: "2024-05-01" }];
  const from = await create({ name: "Ada B.", email_list: consent });
  const { undo } = await merge(into, [from]);
  const merged = await read(into["_id"]);
  assert.equal(merged.email, "ada@undo.example");
  assert.deepEqual(merged.email_list, [
    { ...from.email_list[0], note: "office" },
    into.email_list[1],
  ]);
  const undone = ok(await undo()).body;
  assert.deepEqual([undone.email, undone.email_list], [null, into.email_list]);
});

test("a reference that was changed or created later stays", async () => {
  const path = "/crm/accounts";
  const into = await create({ name: "Left" }, path);
  const from = await create({ name: "Merged" }, path);
  const third = await create({ name: "Third" }, path);
  const people = "/crm/contacts";
  const kept = await create({ name: "Kept", account_id: from._id }, people);
  const moved = await create({ name: "Moved", account_id: from._id }, people);
  const task = await create(
    { name: "T", subject_type: "account", subject: from._id },
    "/crm/tasks",
  );
  const { undo } = await merge(into, [from], path);
  ok(await acme.patch(`${people}/${moved._id}`, { account_id: third._id }));
  const late = await create({ name: "Late", account_id: from._id }, people);
  ok(await acme.delete(`/crm/tasks/${task._id}`));
  ok(await undo());
  const accounts = [];
  for (const { _id } of [kept, moved, late]) accounts.push((await read(_id, people)).account_id);
  assert.deepEqual(accounts, [from._id, third._id, into._id]);
});

test("a record that was merged since gets its own reference back, even if its merge is undone last", async () => {
  const accounts = "/crm/accounts";
  const contacts = "/crm/contacts";
  const left = await create({ name: "Left" }, accounts);
  const from = await create({ name: "Merged" }, accounts);
  const kept = await create({ name: "Kept" }, contacts);
  const merged = await create({ name: "Merged", account_id: from._id }, contacts);
  const first = await merge(left, [from], accounts);
  const second = await merge(kept, [merged], contacts);
  ok(await first.undo());
  ok(await second.undo());
  const shown = [await read(merged._id, contacts), await read(kept._id, contacts)];
  assert.deepEqual(
    shown.map(({ account_id }) => account_id),
    [from._id, null],
  );
});

test("a lead that was merged since gets its own contact back", async () => {
  const kept = await create({ name: "Kept" });
  const lead = await create({ name: "Converted" });
  const { contact_id } = ok(await acme.post(`${LEADS}/${lead._id}/convert`)).body;
  const other = await create({ name: "Other" }, "/crm/contacts");
  const first = await merge(other, [{ _id: contact_id }], "/crm/contacts");
  const second = await merge(kept, [lead]);
  ok(await first.undo());
  ok(await second.undo());
  assert.equal((await read(lead._id)).contact_id, contact_id);
});

/** Asserts that an undo is rejected. Returns the error. */
const refused = async (undo: () => Promise<Answer>) => {
  const answer = await undo();
  assert.equal(answer.status, 409, answer.text);
  return answer.body;
};

test("an undo takes no members, and reports that before anything else", async () => {
  const [a, b] = await Promise.all(["A", "B"].map((name) => create({ name })));
  const { undo, mergeId } = await merge(b, [a]);
  ok(await undo());
  const answer = await acme.post(`${LEADS}/${b._id}/merges/${mergeId}/undo`, { x: 1 });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.detail[0].loc, ["body", "x"]);
});

test("merges are undone newest first, each once", async () => {
  const [a, b, c, d] = await Promise.all(["A", "B", "C", "D"].map((name) => create({ name })));
  const first = await merge(b, [a]);
  const second = await merge(b, [c]);
  const undoable = async ({ _id }: Body) =>
    ok(await acme.get(`${LEADS}/${String(_id)}/merges`)).body.flatMap(
      ({ id, is_undoable }: { id: string; is_undoable: boolean }) => (is_undoable ? [id] : []),
    );
  assert.deepEqual(await undoable(b), [second.mergeId]);
  const third = await merge(d, [b]);
  assert.deepEqual(await undoable(b), [third.mergeId]);
  assert.equal((await refused(first.undo))["merge_id"], third.mergeId);
  assert.equal((await refused(second.undo))["merge_id"], third.mergeId);
  assert.equal(ok(await third.undo()).body._id, d._id);
  assert.equal((await refused(third.undo))["merge_id"], undefined);
  assert.equal((await refused(first.undo))["merge_id"], second.mergeId);
  assert.deepEqual(await undoable(b), [second.mergeId]);
  ok(await second.undo());
  assert.deepEqual(await undoable(b), [first.mergeId]);
  ok(await first.undo());
  const names = [];
  for (const { _id } of [a, b, c, d]) names.push((await read(_id)).name);
  assert.deepEqual(names, ["A", "B", "C", "D"]);
  const told = ok(await acme.get(`${LEADS}/${b._id}/merges`, { page_size: 1 }));
  assert.deepEqual(
    [told.body.length, told.body[0].id, told.body[0].is_undoable],
    [1, second.mergeId, false],
  );
  assert.notEqual(told.body[0].undone_ts, null);
  const next = /<([^>]+)>/.exec(told.headers.get("link") ?? "")?.[1] ?? "";
  assert.equal(ok(await acme.get(next)).body[0].id, first.mergeId);
  // After `a` is merged again, its id refers to the survivor again.
  await merge(b, [a]);
  assert.equal((await read(a._id))._id, b._id);
});

test("an external id that another record has by now returns 409 with that record, and undoes nothing", async () => {
  const into = await create({ name: "A", external_id: "own" });
  const from = await create({ name: "B", external_id: "wanted" });
  const { undo } = await merge(into, [from]);
  const taker = await create({ name: "C", external_id: "wanted" });
  const before = await read(into._id);
  const answer = await undo();
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.existing_id, taker._id);
  assert.deepEqual(await read(from._id), before);
  ok(await acme.patch(`${LEADS}/${taker._id}`, { external_id: null }));
  ok(await undo());
  assert.equal((await read(from._id)).external_id, "wanted");
});

test("the error names the record that has an external id now, not the survivor", async () => {
  const into = await create({ name: "A" });
  const others = [
    await create({ name: "B", external_id: "filled" }),
    await create({ name: "C", external_id: "lost" }),
  ];
  const { undo } = await merge(into, others);
  const taker = await create({ name: "D", external_id: "lost" });
  assert.equal((await refused(undo)).existing_id, taker._id);
});

test("a merge that does not exist, or of another record, returns 404", async () => {
  const [a, b, c] = await Promise.all(["A", "B", "C"].map((name) => create({ name })));
  const { mergeId } = await merge(a, [b]);
  const paths = [
    `${LEADS}/${c._id}/merges/${mergeId}/undo`,
    `/crm/contacts/${a._id}/merges/${mergeId}/undo`,
    `${LEADS}/${a._id}/merges/${a._id}/undo`,
    `${LEADS}/${a._id}/merges/nothing/undo`,
  ];
  for (const path of paths) assert.equal((await acme.post(path)).status, 404, path);
});

test("after 30 days a merge cannot be undone, and its old id still leads to the survivor", async () => {
  const into = await create({ name: "A" });
  const from = await create({ name: "B", ssn: "123456789" });
  const { mergeId, undo } = await merge(into, [from]);
  const forgetAll = async () => {
    while (await forgetMerges(api.sql, clock));
  };
  await forgetAll();
  const kept = async () => {
    const [row] = await api.sql`
      select kept, body, internal from merges m join merged_records r on r.merge_id = m.id
       where m.id = ${mergeId}`;
    return Object.values({ ...row }).filter((value) => value !== null).length;
  };
  assert.equal(await kept(), 3);
  clock.forward_s(30 * 86_400 + 60);
  const late = await undo();
  assert.equal(late.status, 409, late.text);
  assert.match(late.body.detail, /30 days/);
  await forgetAll();
  assert.equal(await kept(), 0);
  assert.equal((await undo()).body.detail, late.body.detail);
  assert.equal((await read(from._id))._id, into._id);
  const [told] = ok(await acme.get(`${LEADS}/${into._id}/merges`)).body;
  assert.equal(told.is_undoable, false);
});
