/** Paging by cursor during concurrent writes: no record is returned twice or skipped. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { casesOf } from "../../kit/long.ts";
import {
  LISTS,
  makeReferable,
  ok,
  partialBody,
  recordsIn,
  type Body,
  type Referable,
} from "../samples.ts";
import { idsOf, nextOf, walk } from "./sorting.ts";
import { sortColumns } from "../../../src/records/columns/columns.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
const RECORDS = 40;

const cursorIn = (link: string): string =>
  new URLSearchParams(link.split("?")[1]).get("cursor") ?? "";

/** Spreads timestamps over five seconds, so that some are equal and some differ. */
async function spreadStamps(table: string, client: Client): Promise<void> {
  const base = Math.floor(Date.now() / 1000) - 300;
  const rows = await api.sql`select id from ${api.sql(table)} where tenant_id = ${client.tenantId}`;
  for (const [at, { id }] of rows.entries()) {
    const stamp = base + (at % 5);
    await api.restamp(table, String(id), {
      created_ts: stamp,
      updated_ts: stamp,
      status_update_date: stamp,
    });
  }
}

for (const { type, listing } of casesOf(LISTS, 4)) {
  test(`paging through ${listing.path} returns each unchanged record once while others write`, async () => {
    const client = await api.tenant();
    const own: Referable = await makeReferable(client);
    const quiet: string[] = [];
    for (let seed = 0; seed < RECORDS / 2; seed++) {
      const made = ok(await client.post(type.writePath, partialBody(type, seed, own)));
      quiet.push(String(made.body._id));
    }
    const busy = ok(await client.post(type.writePath, partialBody(type, 777, own))).body as Body;
    await spreadStamps(type.table, client);
    const keys = [...sortColumns(type, listing).keys()];
    const key = fc.constantFrom(...keys);
    const sort = fc.dictionary(key, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 3 });
    let seed = 1000;
    await fc.assert(
      fc.asyncProperty(
        fc.option(sort),
        fc.integer({ min: 1, max: 9 }),
        async (order, page_size) => {
          const query = { page_size, ...(order !== null && { sort_dict: order }) };
          const seen = idsOf(
            await walk(client, listing.path, query, {
              between: async () => {
                if (++seed % 4 === 0) {
                  await client.post(type.writePath, partialBody(type, seed, own));
                }
                await client.patch(`${type.writePath}/${String(busy["_id"])}`, {
                  external_id: `busy ${seed}`,
                });
              },
            }),
          );
          const met = seen.filter((id) => quiet.includes(id));
          assert.deepEqual(met.toSorted(), quiet.toSorted(), JSON.stringify(query));
        },
      ),
      { numRuns: 6 },
    );
  });
}

test("pages by cursor are the pages by number", async () => {
  for (let seed = 0; seed < 11; seed++) await acme.post("/crm/leads", { name: `Lead ${seed % 3}` });
  const query = { page_size: 4, sort_dict: { name: 1, _id: -1 } };
  const all = recordsIn(ok(await acme.get("/crm/leads", { ...query, page_size: 500 })));
  assert.deepEqual(await walk(acme, "/crm/leads", query), all);
  const third = ok(await acme.get("/crm/leads", { ...query, page_num: 3 }));
  assert.deepEqual(recordsIn(third), all.slice(8, 12));
  assert.equal(nextOf(third.headers), undefined);
  const second = ok(await acme.get(nextOf(ok(await acme.get("/crm/leads", query)).headers) ?? ""));
  assert.equal(second.body.page_num, 2);
});

test("a link is relative, repeats the query and leads to the next page", async () => {
  const query = { page_size: 2, match_filter_dict: { name: { $regex: "Lead" } }, page_num: 1 };
  const link = nextOf(ok(await acme.get("/crm/leads", query)).headers) ?? "";
  assert.ok(link.startsWith("/crm/leads?"));
  const asked = new URLSearchParams(link.split("?")[1]);
  assert.deepEqual([...asked.keys()].toSorted(), ["cursor", "match_filter_dict", "page_size"]);
});

const QUESTION = { page_size: 2, sort_dict: { created_ts: -1 }, start_date: "2020-01-01" };
const OTHER_QUESTIONS: readonly Readonly<Record<string, unknown>>[] = [
  { match_filter_dict: { name: "x" } },
  { sort_dict: { created_ts: 1 } },
  { sort_dict: undefined },
  { start_date: "2020-01-02" },
  { start_date: undefined },
  { end_date: "2099-01-01" },
  { page_num: 2 },
];

test("a cursor is valid only with its query", async () => {
  const cursor = cursorIn(nextOf(ok(await acme.get("/crm/leads", QUESTION)).headers) ?? "");
  assert.equal((await acme.get("/crm/leads", { ...QUESTION, cursor })).status, 200);
  assert.equal((await acme.get("/crm/leads", { ...QUESTION, page_size: 3, cursor })).status, 200);
  for (const other of OTHER_QUESTIONS) {
    const answer = await acme.get("/crm/leads", { ...QUESTION, ...other, cursor });
    assert.equal(answer.status, 422, JSON.stringify(other));
  }
  const elsewhere = await acme.get("/crm/contacts", { ...QUESTION, cursor });
  assert.equal(elsewhere.status, 422);
});

test("a window's cursor carries the resolved window", async () => {
  const first = ok(await acme.get("/crm/leads/created", { page_size: 3 }));
  const seen = recordsIn(first).length;
  const rest = await walk(acme, nextOf(first.headers) ?? "", {});
  const whole = recordsIn(ok(await acme.get("/crm/leads/created")));
  assert.equal(seen + rest.length, whole.length);
});

/** List queries whose cursors the test tampers with. Together, they sort by every kind of key, nullable or not. */
const TAMPERED = [
  ["/crm/deals", { sort_dict: { value_of_sale: -1, stage: 1, updated_ts: -1 } }],
  ["/crm/tasks", { sort_dict: { is_completed: 1, priority: -1 } }],
  ["/crm/leads/created", {}],
  ["/crm/contacts", { sort_dict: { name: 1 } }],
] as const;

for (const [path, question] of casesOf(TAMPERED, 2)) {
  test(`no cursor that was tampered with breaks ${path}`, async () => {
    const { type } = LISTS.find(({ listing }) => listing.path === path) ?? {};
    assert.ok(type);
    for (let seed = 0; seed < 4; seed++)
      await acme.post(type.writePath, partialBody(type, seed, refs));
    const query = { ...question, page_size: 1 };
    const cursor = cursorIn(nextOf(ok(await acme.get(path, query)).headers) ?? "");
    const parts = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("1e999999", "NaN", "Infinity", "t", "\0", "\uD800", "9".repeat(400), "-", ""),
      fc.string({ unit: "binary" }),
      fc.bigInt().map(String),
    );
    const changed = fc
      .tuple(fc.nat(parts.length - 1), fc.nat(4), odd)
      .map(([at, inner, value]) =>
        parts.map((part, place) =>
          place !== at
            ? part
            : Array.isArray(part)
              ? part.map((key, position) => (position === inner % part.length ? value : key))
              : value,
        ),
      )
      .map((altered) => Buffer.from(JSON.stringify(altered)).toString("base64url"));
    const cutOff = fc.nat(cursor.length).map((length) => cursor.slice(0, length));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, changed, cutOff, fc.string()), async (text) => {
        const answer = await acme.get(path, { ...query, cursor: text });
        assert.ok([200, 422].includes(answer.status), `${answer.status} ${answer.text}`);
      }),
      { numRuns: 60 },
    );
  });
}

test("two names of one column sort and page alike", async () => {
  const query = { page_size: 1, sort_dict: { created_ts: 1, timestamp: -1 } };
  const walked = await walk(acme, "/crm/deals", query);
  assert.ok(walked.length > 2);
  const whole = await acme.get("/crm/deals", { ...query, page_size: 500 });
  assert.deepEqual(idsOf(walked), idsOf(recordsIn(ok(whole))));
});
