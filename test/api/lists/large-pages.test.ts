/** Pages and time windows of large records return the same as those of small ones, but in constant memory. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Database } from "../../../src/platform/database/index.ts";
import { eventually } from "../../kit/eventually.ts";
import { fileApi, file } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { ok, recordsIn, type Body } from "../samples.ts";
import { idsOf, nextOf, walk } from "./sorting.ts";
import type { Query } from "../../../src/platform/pool/index.ts";
import { noting } from "../../kit/sql.ts";

const RECORDS = 16;
const MIB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const api = await fileApi();
const acme = await api.tenant();

/** The numbers in the values of the statements that read lists. The last one of each statement is its limit. */
const numbers: number[][] = [];
const noteNumbers = ({ values }: Query): void =>
  void numbers.push((values ?? []).filter((value) => typeof value === "number"));
const wrap = (db: Database): Database => ({ ...db, lists: noting(db.lists, noteNumbers) });
const app = await startOwnApp(file, { url: api.databaseUrl, wrap });

/** Creates a lead of almost 1 MB, and copies of it with other ids and names. */
async function createLarge(): Promise<void> {
  const social_dict_list = Array.from({ length: 480 }, (_, at) => ({
    type: "a",
    url: `https://example.com/${at}/${"y".repeat(2000)}`,
  }));
  const lead = { name: "Large", email: "large@example.com", comments: "Note", social_dict_list };
  const { _id } = ok(await acme.post("/crm/leads", lead)).body;
  const columns = await api.sql`
    select column_name from information_schema.columns where table_name = 'leads'`;
  const names = columns
    .map(({ column_name }) => String(column_name))
    .filter((name) => !["id", "body", "external_id"].includes(name))
    .join(", ");
  await api.sql.unsafe(
    `insert into leads (id, body, ${names})
     select n.id, replace(body::text, leads.id, n.id)::json, ${names}
       from leads, (select lpad(to_hex(i), 24, '0') as id from generate_series(1, $2::integer) i) n
      where leads.id = $1`,
    [_id, RECORDS - 1],
  );
}

await createLarge();

const oneByOne = (query: object = {}): Promise<readonly Body[]> =>
  walk(acme, "/crm/leads", { ...query, page_size: 1 });

test("a page of large records contains every record once, in order, and links to the next page", async () => {
  for (const query of [
    {},
    { sort_dict: { name: 1, created_ts: -1 } },
    { match_filter_dict: { email_list: "large@example.com" } },
    { fields: "comments,name" },
  ]) {
    const expected = await oneByOne(query);
    assert.equal(expected.length, RECORDS);
    const first = ok(await acme.get("/crm/leads", { ...query, page_size: 9 }));
    const second = ok(await acme.get(String(nextOf(first.headers))));
    assert.deepEqual([first.body.page_num, second.body.page_num], [1, 2]);
    assert.equal(nextOf(second.headers), undefined);
    assert.deepEqual([...recordsIn(first), ...recordsIn(second)], expected);
    const whole = ok(await acme.get("/crm/leads", { ...query, page_size: RECORDS }));
    assert.equal(nextOf(whole.headers), undefined);
    assert.deepEqual(idsOf(recordsIn(whole)), idsOf(expected));
  }
});

test("a time window of large records contains every record once", async () => {
  for (const query of [{}, { fields: "comments" }]) {
    const window = ok(await acme.get("/crm/leads/created", query));
    const found = idsOf(recordsIn(window));
    assert.deepEqual(found, idsOf(await oneByOne()));
  }
});

const bearer = { authorization: `Bearer ${acme.bearer}` };

test("a time window reads few large records at a time, even if only small fields are returned", async () => {
  for (const query of ["", "?fields=comments"]) {
    numbers.splice(0);
    const answer = await fetch(`${app.url}/crm/leads/created${query}`, { headers: bearer });
    assert.equal(((await answer.json()) as Body[]).length, RECORDS);
    // The first statement finds records that were restored.
    const [, first, ...limits] = numbers.map((values) => values.at(-1) ?? 0);
    assert.equal(first, 100);
    assert.ok(limits.length > RECORDS / 3, limits.join(" "));
    assert.ok(
      limits.every((limit) => limit <= 2),
      limits.join(" "),
    );
  }
});

/** Sends a request and returns its response before the body is read. */
async function open(path: string): Promise<IncomingMessage> {
  const sent = request(app.url + path, { headers: bearer });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

function used(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

for (const path of [`/crm/leads?page_size=${RECORDS}`, "/crm/leads/created"]) {
  test(`a slow client of ${path} uses no memory for records that it has not read`, async () => {
    const before = used();
    const answer = await open(path);
    await eventually(
      () => Math.round((used() - before) / MIB),
      (grown_MiB) => grown_MiB < 8,
    );
    answer.destroy();
  });
}
