/** A merge and a rename send the same number of statements for many records as for one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { systemClock } from "../../../src/platform/clock/index.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { createRenaming } from "../../../src/records/write/renames.ts";
import { fileApi } from "../../kit/file-api.ts";
import { noteStatements } from "../../kit/sql.ts";
import { file } from "../../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();
const { sent, wrap } = noteStatements();
const counted = await startOwnApp(file, { url: api.databaseUrl, wrap });

const many = (count: number) => Array.from({ length: count }, (_, at) => at);

async function create(path: string, items: readonly object[]): Promise<readonly string[]> {
  const { status, text, body } = await acme.post(`${path}/batch`, { items });
  assert.equal(status, 207, text);
  return (body as readonly { _id: string }[]).map(({ _id }) => _id);
}

/** Creates an account, other accounts to merge into it, and three deals for each of the others. */
async function accounts(count: number) {
  const [into = "", ...ids] = await create(
    "/crm/accounts",
    many(count + 1).map((at) => ({ name: `Account ${at}` })),
  );
  const deals = await create(
    "/crm/opportunities",
    ids.flatMap((account_id) => many(3).map((at) => ({ name: `Deal ${at}`, account_id }))),
  );
  return { into, ids, deals };
}

/** Matches the statements of a merge or rename. Caller lookups and periodic writes are ignored. */
const OF_RECORDS = /\b(accounts|deals|changes|merges)\b/;
const countIn = (texts: readonly string[]): number =>
  texts.filter((text) => OF_RECORDS.test(text)).length;

/** Matches the first statement of each attempt to merge. */
const isStart = (text: string): boolean => text.includes("pg_try_advisory_xact_lock");

/**
 * Returns the number of statements that a request sends. On a busy machine, a merge may not lock its records in time
 * and starts again. Earlier attempts do not count.
 */
async function statementsOf(path: string, body: object): Promise<number> {
  sent.splice(0);
  const answer = await fetch(`${counted.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${acme.bearer}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.text());
  const attempts = sent.slice(sent.findIndex(isStart), sent.findLastIndex(isStart));
  return countIn(sent) - countIn(attempts);
}

const accountNames = async (deals: readonly string[]): Promise<readonly string[]> => {
  const rows = await api.sql`
    select distinct body->>'account_name' as name from deals where id = any(${[...deals]}) order by 1`;
  return rows.map(({ name }) => String(name));
};

test("a merge of many records sends as many statements as a merge of two, and its undo restores them", async () => {
  await statementsOf("/crm/accounts", { name: "First" });
  const counts: number[] = [];
  for (const count of [1, 15]) {
    const { into, ids, deals } = await accounts(count);
    const merge = await statementsOf(`/crm/accounts/${into}/merge`, { ids });
    assert.deepEqual(await accountNames(deals), ["Account 0"]);
    const [last] = ok(await acme.get(`/crm/accounts/${into}/merges`)).body;
    await statementsOf(`/crm/accounts/${into}/merges/${last.id}/undo`, {});
    assert.equal((await accountNames(deals)).length, count);
    const removed = await api.sql`
      select subject_id as id from changes
       where action = 'merged' and subject_id = any(${[...ids]}) order by seq`;
    assert.deepEqual(
      removed.map(({ id }) => String(id)),
      ids,
    );
    counts.push(merge);
  }
  const [few = 0, most = 0] = counts;
  assert.ok(few > 0);
  assert.equal(most, few);
});

test("a new name is written into many records with one statement", async () => {
  const counts: number[] = [];
  for (const count of [1, 40]) {
    const [id = ""] = await create("/crm/accounts", [{ name: "Before" }]);
    const deals = await create(
      "/crm/opportunities",
      many(count).map((at) => ({ name: `Deal ${at}`, account_id: id })),
    );
    ok(await acme.patch(`/crm/accounts/${id}`, { name: "After" }));
    sent.splice(0);
    const renameNext = createRenaming(counted.db.sql, {
      makeId: idSource(systemClock()),
      participants: [],
    });
    while (await renameNext());
    counts.push(countIn(sent));
    assert.deepEqual(await accountNames(deals), ["After"]);
    const { body } = ok(await acme.get(`/crm/opportunities/${deals[0]}/history`));
    assert.deepEqual(body[0].fields, { account_name: { old: "Before", new: "After" } });
  }
  const [few = 0, most = 0] = counts;
  assert.ok(few > 0);
  assert.equal(most, few);
});
