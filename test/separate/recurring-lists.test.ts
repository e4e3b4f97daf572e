/** Lists that are requested repeatedly: their plans are reused, but their records are read each time. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { LISTS, makeReferable, ok, partialBody, recordsIn, type Body } from "../api/samples.ts";
import { idsOf, nextOf, walk } from "../api/lists/sorting.ts";

const api = await fileApi();
const acme = await api.tenant();
const other = await api.tenant();
const refs = await makeReferable(acme);
const RECORDS = 7;
/** Enough requests for the plan to be reused. */
const TIMES = 8;

for (const type of new Set(LISTS.map(({ type }) => type))) {
  for (let seed = 0; seed < RECORDS; seed++) {
    ok(await acme.post(type.writePath, partialBody(type, seed, refs)));
  }
}

const idsBy = async (client: Client, path: string, query: Body): Promise<readonly unknown[]> =>
  idsOf(recordsIn(ok(await client.get(path, query))));

test("personal data in filters reaches PostgreSQL as parameters only", async () => {
  const client = await api.tenant();
  const filters = [
    { lead_status: "contacted" },
    { lead_status: "Confidential" },
    { name: "Confidential" },
    { lead_source: { $in: ["Referral", "Confidential"] } },
    { email_list: "Confidential@example.com" },
  ];
  for (let time = 0; time < TIMES; time++) {
    for (const match_filter_dict of filters) {
      ok(await client.get("/crm/leads", { match_filter_dict }));
      const texts = await api.sql<{ query: string }[]>`
        select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
      assert.ok(!texts.some(({ query }) => /confidential/i.test(query)));
    }
  }
  ok(await client.get("/crm/leads", { match_filter_dict: filters[0] }));
  const [{ count } = { count: 0 }] = await api.sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and query like '%= ''contacted''%' and pid <> pg_backend_pid()`;
  assert.ok(count > 0);
});

for (const { type, listing } of LISTS.filter(({ listing }) => listing.windowHours === undefined)) {
  const { path } = listing;
  test(`${path} returns the same, however often it is requested`, async () => {
    const records = recordsIn(ok(await acme.get(path, { page_size: 500 })));
    for (const name of listing.filter) {
      const texts = new Set(
        records.map((record) => record[name]).filter((v) => typeof v === "string"),
      );
      for (const value of texts) {
        const expected = idsOf(records.filter((record) => record[name] === value));
        const query = { match_filter_dict: { [name]: value }, page_size: 2 };
        for (let time = 0; time < TIMES; time++) {
          assert.deepEqual(idsOf(await walk(acme, path, query)), expected, `${name} ${value}`);
          assert.deepEqual(await idsBy(other, path, query), []);
        }
      }
    }
  });

  test(`${path} shows what was created since the last request`, async () => {
    const known = new Set(await idsBy(acme, path, { page_size: 500 }));
    for (let time = 0; time < TIMES; time++) {
      const { _id } = ok(await acme.post(type.writePath, partialBody(type, RECORDS + time, refs)))
        .body as Body;
      known.add(_id);
      assert.deepEqual(new Set(await idsBy(acme, path, { page_size: 500 })), known);
      const all = idsOf(await walk(acme, path, { page_size: 3, sort_dict: { _id: 1 } }));
      assert.deepEqual(new Set(all), known);
      assert.deepEqual(all, all.map(String).toSorted());
    }
  });
}

test("a value that looks like SQL is a value, however often it is sent", async () => {
  const NAMES = ["O'Brien", "x' or true --", "\\'", "$1", "a\nb", '{"a"}', "50%", "Zoë", "a b:c"];
  for (const name of NAMES) ok(await acme.post("/crm/leads", { name }));
  for (const name of NAMES) {
    for (const filter of [
      { name },
      { name: { $in: [name, "nobody"] } },
      { name: { $gte: name, $lte: name } },
    ]) {
      for (let time = 0; time < TIMES; time++) {
        const answer = ok(await acme.get("/crm/leads", { match_filter_dict: filter }));
        assert.deepEqual(
          recordsIn(answer).map((lead) => lead["name"]),
          [name],
        );
      }
    }
  }
});

test("the position in a cursor never replaces another value of the list", async () => {
  const client = await api.tenant();
  const own = await makeReferable(client);
  const { contact: contact_id = "" } = own;
  for (const name of ["A", "B", "C"]) {
    ok(await client.post(BUILT_IN_TYPES.deal.writePath, { name, contact_id }));
  }
  for (const value of [client.tenantId, contact_id, "", "open"]) {
    const query = { match_filter_dict: { contact_id }, page_size: 1 };
    const first = ok(await client.get("/crm/deals", query));
    const forged = await client.get(withPlace(String(nextOf(first.headers)), value));
    assert.equal(forged.status, value === contact_id ? 200 : 422, value);
    const walked = await walk(client, "/crm/deals", query);
    assert.deepEqual(
      walked.map(({ name }) => name),
      ["C", "B", "A"],
    );
  }
});

/** Returns a link with another position in its cursor. */
function withPlace(link: string, value: unknown): string {
  const [path = "", query] = link.split("?");
  const parameters = new URLSearchParams(query);
  const parts = JSON.parse(
    Buffer.from(parameters.get("cursor") ?? "", "base64url").toString(),
  ) as unknown[];
  parts[4] = [value];
  parameters.set("cursor", Buffer.from(JSON.stringify(parts)).toString("base64url"));
  return `${path}?${parameters.toString()}`;
}

test("the link to the next page keeps unencoded question marks in the query", async () => {
  const client = await api.tenant();
  const name = "What? Why?";
  for (const _ of [1, 2]) ok(await client.post("/crm/leads", { name }));
  const filter = encodeURIComponent(JSON.stringify({ name })).replaceAll("%3F", "?");
  const first = ok(await client.get(`/crm/leads?match_filter_dict=${filter}&page_size=1`));
  const second = ok(await client.get(String(nextOf(first.headers))));
  assert.deepEqual(
    recordsIn(second).map((lead) => lead["name"]),
    [name],
  );
});

test("lists whose filters differ only in a text like a cursor have different records", async () => {
  const client = await api.tenant();
  const names = ["?cursor=a", "?cursor=b", "a", "cursor=a"];
  for (const name of names) ok(await client.post("/crm/leads", { name }));
  for (const name of names) {
    // Question marks and equals signs in a query string need no encoding.
    const filter = encodeURIComponent(JSON.stringify({ name }))
      .replace("%3F", "?")
      .replace("%3D", "=");
    for (const start of ["?", "?page_size=9&", "?cursor=&"]) {
      const list = ok(await client.get(`/crm/leads${start}match_filter_dict=${filter}`));
      assert.deepEqual(
        recordsIn(list).map((lead) => lead["name"]),
        [name],
      );
    }
  }
});
