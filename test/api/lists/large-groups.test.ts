/** Requests that read many large records read them in groups, so that they need little memory. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../../src/platform/clock/index.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import type { Database } from "../../../src/platform/database/index.ts";
import { createRenaming } from "../../../src/records/write/index.ts";
import { prepare } from "../../files/imports/sending.ts";
import { file, fileApi } from "../../kit/file-api.ts";
import { noteStatements } from "../../kit/sql.ts";
import { startOwnApp } from "../own-app.ts";
import { ok, type Body } from "../samples.ts";

const COUNT = 5;
/** Two of these records fit into a group. */
const RECORD_characters = 900_000;
const GROUPS = 3;

const api = await fileApi();
const acme = await api.tenant();
const { sent, wrap } = noteStatements();
const app = await startOwnApp(file, {
  url: api.databaseUrl,
  wrap: (db: Database) => ({ ...wrap(db), lists: wrap({ ...db, sql: db.lists }).sql }),
});

/** Sends a request to the app whose statements are noted. Returns its body and the number of matching statements. */
async function send(method: string, path: string, pattern: RegExp, body?: string) {
  sent.splice(0);
  const type = path.startsWith("/crm/imports") ? "text/csv" : "application/json";
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${acme.bearer}`, "content-type": type },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(0, 1000));
  return {
    body: JSON.parse(text),
    headers: answer.headers,
    groups: sent.filter((one) => pattern.test(one)).length,
  };
}

const create = async (path: string, body: Body) => ok(await acme.post(path, body)).body;

/** Creates large records of a type. A field that is null becomes a long text. */
async function createLarge(path: string, field: string, bodies: readonly Body[]) {
  const ids: string[] = [];
  for (const body of bodies) ids.push((await create(path, body))._id);
  await api.sql.unsafe(
    `update ${path.slice("/crm/".length)}
        set body = replace(body::text, '"${field}":null', '"${field}":"${"x".repeat(RECORD_characters)}"')::json
      where id = any($1)`,
    [ids],
  );
  return ids;
}

const times = (bodyOf: (at: number) => Body) =>
  Array.from({ length: COUNT }, (_, at) => bodyOf(at));

/** Returns the accounts that contacts refer to, and the number of contacts. */
const referring = async () => {
  const rows = await api.sql`
    select account_id, count(*)::int from contacts where account_id is not null group by 1`;
  return rows.map((row) => Object.values(row));
};

test("a merge and its undo change large referring records in groups", async () => {
  const into = await create("/crm/accounts", { name: "Left" });
  const from = await create("/crm/accounts", { name: "Merged" });
  await createLarge(
    "/crm/contacts",
    "comments",
    times((at) => ({ name: `C ${at}`, account_id: from._id })),
  );
  const updates = /update contacts t/;
  const path = `/crm/accounts/${into._id}`;
  const merged = await send("POST", `${path}/merge`, updates, JSON.stringify({ ids: [from._id] }));
  assert.equal(merged.groups, GROUPS);
  assert.deepEqual(await referring(), [[into._id, COUNT]]);
  const mergeId = merged.headers.get("x-merge-id");
  const undone = await send("POST", `${path}/merges/${mergeId}/undo`, updates, "{}");
  assert.equal(undone.groups, GROUPS);
  assert.deepEqual(await referring(), [[from._id, COUNT]]);
});

test("the possible duplicates of a record are read in groups, the most similar first", async () => {
  const email = "large@groups.example";
  const own = await create("/crm/leads", { name: "Ada Example", email });
  const names = times((at) => ({ name: at === 1 ? "Ada Example" : `Other ${at}`, email }));
  const [, alike = "", ...rest] = await createLarge("/crm/leads", "comments", names);
  const path = `/crm/leads/${own._id}/duplicates`;
  const { body, groups } = await send("GET", path, /select id, body from leads/);
  assert.equal(groups, GROUPS);
  const found = body as readonly { score: number; record: Body }[];
  assert.deepEqual(found.map(({ score, record }) => [score, record["_id"]]).slice(0, -1), [
    [0.9, alike],
    ...rest.toReversed().map((id) => [0.5, id]),
  ]);
  assert.equal(String(found[0]?.record["comments"]).length, RECORD_characters);
});

test("an import reads the records that it updates in groups", async () => {
  await createLarge(
    "/crm/leads",
    "comments",
    times((at) => ({ name: `Imported ${at}`, external_id: `large-${at}` })),
  );
  const id = await prepare(acme, "lead", { external_id: "Key", mode: "update" });
  const text = ["Key,Title", ...Array.from({ length: COUNT }, (_, at) => `large-${at},Dr.`)].join(
    "\n",
  );
  const reads = /select id, body, internal from leads/;
  const { body, groups } = await send("PUT", `/crm/imports/${id}/data`, reads, text);
  assert.deepEqual([body.updated, groups], [COUNT, GROUPS]);
});

test("a rename is applied to large records in steps", async () => {
  const account = await create("/crm/accounts", { name: "Before" });
  await createLarge(
    "/crm/orders",
    "description",
    times(() => ({ account_id: account._id })),
  );
  ok(await acme.patch(`/crm/accounts/${account._id}`, { name: "After" }));
  const renameNext = createRenaming(api.sql, { makeId: idSource(systemClock()), participants: [] });
  let steps = 0;
  while (await renameNext()) steps += 1;
  assert.equal(steps, GROUPS);
  const shown = await api.sql`select distinct body->>'account_name' as name from orders`;
  assert.deepEqual(
    shown.map(({ name }) => String(name)),
    ["After"],
  );
});
