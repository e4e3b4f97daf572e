/**
 * Merges during concurrent writes: no other request fails because of a merge, and no reference to a merged record
 * remains.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { transaction } from "../../../src/platform/database/db.ts";
import { type Tx } from "../../../src/platform/database/tx.ts";
import { ValidationError } from "../../../src/platform/errors/errors.ts";
import { createSealer } from "../../../src/platform/secrets/sealing.ts";
import { BUILT_IN_TYPES, type RecordType } from "../../../src/records/types/index.ts";
import { findId } from "../../../src/records/store/index.ts";
import { findByAnyId } from "../../../src/records/write/index.ts";
import { mergeRecords } from "../../../src/records/merge/merge.ts";
import { makeId, scopeOn } from "../../exchange/exchange-kit.ts";
import { assertCounts, importFile } from "../../files/imports/sending.ts";
import type { Answer } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import { ok, type Body } from "../samples.ts";
import { run } from "../../../src/platform/database/index.ts";

const api = await sharedApi();
const acme = await api.tenant();
const clock = systemClock();

const create = async (path: string, body: Body) => ok(await acme.post(path, body)).body;
const merge = (path: string, into: string, ids: readonly string[]) =>
  acme.post(`${path}/${into}/merge`, { ids });
const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

/** Repeats a merge that could not lock the records within seconds. Its 409 says that it can be sent again. */
const patiently = (send: () => Promise<Answer>): Promise<Answer> =>
  eventually(send, ({ status }) => status !== 409);

test("of merges that want the same records in different orders one succeeds, and the others return why not", async () => {
  const leads = await times(4, async (at) => (await create("/crm/leads", { name: `L${at}` }))._id);
  const answers = await times(8, (at) => {
    const [into, ...ids] = leads.map((_, step) => leads[(at + step) % 4]);
    return patiently(() => merge("/crm/leads", into, ids));
  });
  const done = answers.filter(({ status }) => status === 200);
  for (const { status, text } of answers) assert.ok(status === 200 || status === 422, text);
  // After the first merge, all four ids refer to the surviving record. Every other merge then lists the same record
  // twice and is rejected.
  assert.equal(done.length, 1);
  const found = new Set<string>();
  for (const id of leads) found.add(ok(await acme.get(`/crm/leads/${id}`)).body._id);
  assert.deepEqual([...found], [done[0]?.body._id]);
});

test("a merge and its undo give way to writers that hold the records", async () => {
  const accounts = await times(
    3,
    async (at) => (await create("/crm/accounts", { name: `A${at}` }))._id as string,
  );
  const [into = "", ...others] = accounts;
  const refer = (at: number) => ({ account_id: accounts[at % 3] });
  const deals = await times(
    12,
    async (at) => (await create("/crm/opportunities", { name: `D${at}`, ...refer(at) }))._id,
  );
  const contacts = await times(
    6,
    async (at) => (await create("/crm/contacts", { name: `C${at}`, ...refer(at) }))._id,
  );
  let merging = true;
  const failures: string[] = [];
  const must = (answer: { status: number; text: string }): void => {
    if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`);
  };
  const write = async (worker: number): Promise<void> => {
    for (let at = worker; merging; at++) {
      must(await acme.patch(`/crm/opportunities/${deals[at % 12]}`, { value_of_sale: at }));
      must(await acme.patch(`/crm/contacts/${contacts[at % 6]}`, { ...refer(at), title: `${at}` }));
      must(await acme.patch(`/crm/accounts/${accounts[at % 3]}`, { name: `Name ${at}` }));
      must(await acme.post("/crm/opportunities", { name: "New", ...refer(at) }));
    }
  };
  const mergeAndUndo = async (): Promise<void> => {
    for (let round = 0; round < 5; round++) {
      const merged = await patiently(() => merge("/crm/accounts", into, others));
      must(merged);
      const undo = `/crm/accounts/${into}/merges/${merged.headers.get("x-merge-id")}/undo`;
      if (round < 4) must(await patiently(() => acme.post(undo)));
    }
    merging = false;
  };
  await Promise.all([write(0), write(1), write(2), mergeAndUndo()]);
  assert.deepEqual(failures, []);
  const rows = await api.sql`
    select count(*)::int as count from deals
     where tenant_id = ${acme.tenantId} and account_id is distinct from ${into}
     union all
    select count(*)::int from contacts
     where tenant_id = ${acme.tenantId} and body->>'account_id' is distinct from ${into}`;
  assert.deepEqual(
    rows.map(({ count }) => count as number),
    [0, 0],
  );
});

test("a PATCH during a merge is applied to the record, or to the one that survives it", async () => {
  const [into, from] = await Promise.all([
    create("/crm/leads", { name: "Left" }),
    create("/crm/leads", { name: "Merged" }),
  ]);
  const [patched, merged] = await Promise.all([
    times(20, (at) => acme.patch(`/crm/leads/${from._id}`, { [FIELDS[at % 4] ?? ""]: `${at}` })),
    patiently(() => merge("/crm/leads", into._id, [from._id])),
  ]);
  ok(merged);
  for (const answer of patched) ok(answer);
  const after = ok(await acme.get(`/crm/leads/${from._id}`)).body;
  assert.equal(after._id, into._id);
  for (const field of FIELDS) assert.match(after[field], /^\d+$/);
});

/** Merges records in the test's own transaction. */
const mergeIn = (db: Tx, type: RecordType, id: string, ids: readonly string[]) => {
  const deps = {
    clock,
    makeId,
    sealer: createSealer({ all: [randomBytes(32)] }),
    participants: [],
  };
  const author = { country: "US", person: { id: acme.personId, name: "Owner" } } as const;
  const scope = { ...scopeOn(api.sql, acme), db };
  return mergeRecords({ scope, deps, author, type }, { id, ids });
};

test("a PATCH that refers to a record during its merge stores the surviving record", async () => {
  const [into, from] = await times(2, (at) => create("/crm/accounts", { name: `R${at}` }));
  const contact = await create("/crm/contacts", { name: "C" });
  const task = await create("/crm/tasks", { name: "T" });
  const subject = { subject_type: "account", subject: from._id };
  const patched = await transaction(api.sql, async (tx) => {
    await mergeIn(tx, BUILT_IN_TYPES.account, into._id, [from._id]);
    const answers = Promise.all([
      acme.patch(`/crm/contacts/${contact._id}`, { account_id: from._id }),
      acme.patch(`/crm/tasks/${task._id}`, subject),
    ]);
    await untilLockWaits(api.sql, 2, { statement: "for share" });
    return { answers };
  });
  const [one, other] = await patched.answers;
  assert.equal(ok(one).body.account_id, into._id);
  assert.equal(ok(other).body.subject, into._id);
});

test("old ids and external ids lead to the last survivor while their survivor is being merged", async () => {
  const { account } = BUILT_IN_TYPES;
  const [last, into, from] = await times(3, async (at) =>
    create("/crm/accounts", { name: `Chain ${at}`, external_id: `chain ${at}` }),
  );
  ok(await merge("/crm/accounts", into._id, [from._id]));
  const writes = await transaction(api.sql, async (tx) => {
    await mergeIn(tx, account, last._id, [into._id]);
    const posted = acme.post("/crm/contacts", { name: "C", account_id: from._id });
    await untilLockWaits(api.sql, 1, { statement: "for share" });
    const file = "Key,Name,Industry\nchain 2,Renamed,Steel\n";
    const imported = importFile(acme, "accounts", file, { external_id: "Key" });
    await untilLockWaits(api.sql, 1, { statement: "for update" });
    return { posted, imported };
  });
  assert.equal(ok(await writes.posted).body.account_id, last._id);
  assertCounts(await writes.imported, { rows: 1, updated: 1 });
  const survivor = ok(await acme.get(`/crm/accounts/${from._id}`)).body;
  assert.deepEqual([survivor._id, survivor.industry], [last._id, "Steel"]);
});

test("a record is found even if its merge is undone between the search for it and for its survivor", async () => {
  const { lead } = BUILT_IN_TYPES;
  const [into, from] = await times(2, (at) => create("/crm/leads", { name: `U${at}` }));
  const merged = await merge("/crm/leads", into._id, [from._id]);
  const undo = `/crm/leads/${into._id}/merges/${merged.headers.get("x-merge-id")}/undo`;
  const scope = scopeOn(api.sql, acme);
  let searches = 0;
  const found = await findByAnyId(scope, lead, from._id, async (id) => {
    const id_ = await findId(scope, lead, id);
    if (searches++ === 0) ok(await patiently(() => acme.post(undo)));
    return id_;
  });
  assert.equal(found, from._id);
});

test("inside a given transaction, a merge is a part of it, done or rejected", async () => {
  const { lead } = BUILT_IN_TYPES;
  const [into, from, third] = await times(3, (at) => create("/crm/leads", { name: `T${at}` }));
  const undone = transaction(api.sql, async (tx) => {
    await mergeIn(tx, lead, into._id, [from._id]);
    await assert.rejects(mergeIn(tx, lead, into._id, [from._id]), ValidationError);
    await mergeIn(tx, lead, into._id, [third._id]);
    const [row] = await run(tx)`
      select current_setting('lock_timeout') as "lock", current_setting('statement_timeout') as "all"`;
    assert.deepEqual({ ...row }, { lock: "0", all: "0" });
    throw new Error("the rest failed");
  });
  await assert.rejects(undone, /the rest failed/);
  for (const before of [into, from, third]) {
    assert.deepEqual(ok(await acme.get(`/crm/leads/${before._id}`)).body, before);
  }
});

test("a merge that never gets its locks returns 409, and no request waits for it", async () => {
  const [into, from] = await times(2, (at) => create("/crm/leads", { name: `H${at}` }));
  const task = { name: "T", subject_type: "lead", subject: from._id };
  const { _id } = await create("/crm/tasks", task);
  const answer = await api.sql.begin(async (tx) => {
    await tx`select from tasks where id = ${_id} for update`;
    return merge("/crm/leads", into._id, [from._id]);
  });
  assert.equal(answer.status, 409, answer.text);
  assert.match(answer.body.detail, /try again/);
  assert.equal(answer.headers.get("retry-after"), "1");
  ok(await merge("/crm/leads", into._id, [from._id]));
});

const FIELDS = ["comments", "employer_name", "profession", "title"];
