/** The parameters, sorting and paging of all lists: docs/lists.md. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ALL_TYPES,
  LISTS,
  contact,
  deal,
  lead,
  task,
  type Fields,
  type TypeCase,
} from "./cases.ts";
import {
  assertBlames,
  assertInvalid,
  create,
  idsOf,
  iso,
  now,
  recordOf,
  rowsOf,
} from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
type Acme = Awaited<ReturnType<typeof api.tenant>>;

/** Returns the path and query of the link to the next page, if there is one. */
function nextOf({ headers }: { headers: Headers }): string | undefined {
  return /<([^>]*)>;\s*rel="next"/.exec(headers.get("link") ?? "")?.[1];
}

/** Follows the links from a first page to the end. */
async function walk(acme: Acme, path: string, query: Record<string, unknown>): Promise<string[]> {
  let reply = await acme.get(path, query);
  const ids = idsOf(reply);
  for (let next = nextOf(reply); next !== undefined; next = nextOf(reply)) {
    assert.match(next, /cursor=/);
    reply = await acme.get(new URL(next, new URL(path, "http://api.example")).href.slice(18));
    ids.push(...idsOf(reply));
  }
  return ids;
}

/**
 * Creates records concurrently, but no more at a time than the service has connections: a request that waits five
 * seconds for one returns 503.
 */
async function createMany(acme: Acme, type: TypeCase, count: number, fields: Fields = {}) {
  for (let left = count; left > 0; left -= 4) {
    await Promise.all(Array.from({ length: Math.min(left, 4) }, () => create(acme, type, fields)));
  }
}

async function several(acme: Acme, type: (typeof ALL_TYPES)[number], count: number) {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.unshift((await create(acme, type))["_id"]);
  return ids;
}

// docs/lists.md
test("GET /crm/leads returns leads, page_size and page_num, newest first", async () => {
  const acme = await api.tenant();
  const empty = recordOf(await acme.get("/crm/leads"));
  assert.deepEqual(empty, { leads: [], page_size: 50, page_num: 1 });
  const ids = await several(acme, lead, 5);
  const page = await acme.get("/crm/leads", { page_size: 2, page_num: 2 });
  const { leads: _, ...rest } = recordOf(page);
  assert.deepEqual(rest, { page_size: 2, page_num: 2 });
  assert.deepEqual(idsOf(page), ids.slice(2, 4));
  assert.deepEqual(idsOf(await acme.get("/crm/leads", { page_size: 2, page_num: 4 })), []);
});

// docs/lists.md
test("GET /crm/contacts returns a bare array, newest first, and takes page_num", async () => {
  const acme = await api.tenant();
  assert.equal((await acme.get("/crm/contacts")).text, "[]");
  const ids = await several(acme, contact, 3);
  assert.deepEqual(idsOf(await acme.get("/crm/contacts")), ids);
  const query = { page_size: 2, page_num: 2 };
  assert.deepEqual(idsOf(await acme.get("/crm/contacts", query)), ids.slice(2));
});

// docs/lists.md
test("page_size is 1 to 500, by default 50", async () => {
  const acme = await api.tenant();
  await createMany(acme, lead, 51);
  const count = async (query: object) => idsOf(await acme.get("/crm/leads", { ...query })).length;
  assert.equal(await count({}), 50);
  assert.equal(await count({ page_size: 1 }), 1);
  assert.equal(await count({ page_size: 500 }), 51);
});

for (const { type, path } of LISTS) {
  // docs/lists.md
  test(`page_size and page_num of GET ${path} outside their limits return 422`, async () => {
    const acme = await api.tenant();
    const loc = ["query", "page_size"];
    const low = { type: "greater_than_equal", loc, input: "0", ctx: { ge: 1 } };
    assertInvalid(await acme.get(path, { page_size: 0 }), low);
    const high = { type: "less_than_equal", loc, input: "501", ctx: { le: 500 } };
    assertInvalid(await acme.get(path, { page_size: 501 }), high);
    for (const page_size of ["abc", "1.5", "1e1", "0x10"]) {
      const reply = await acme.get(path, { page_size });
      assertInvalid(reply, { type: "int_parsing", loc, input: page_size });
    }
    const zero = { ...low, loc: ["query", "page_num"] };
    assertInvalid(await acme.get(path, { page_num: 0 }), zero);
  });

  // docs/requests.md#parameters
  test(`GET ${path} takes every shared parameter, and no other`, async () => {
    const acme = await api.tenant();
    const t = now();
    const all = {
      match_filter_dict: {},
      eval_object_id: true,
      sort_dict: { _id: -1 },
      page_size: 10,
      page_num: 1,
      start_date: iso(t - 60),
      end_date: iso(t),
    };
    assert.deepEqual(idsOf(await acme.get(path, all)), []);
    const empty = Object.fromEntries(Object.keys(all).map((name) => [name, ""]));
    assert.deepEqual(idsOf(await acme.get(path, { ...empty, cursor: "" })), []);
    assertInvalid(await acme.get(path, { limit: 5 }), {
      type: "extra_forbidden",
      loc: ["query", "limit"],
      msg: "Extra inputs are not permitted",
      input: "5",
    });
  });

  // docs/lists.md#sorting
  test(`sort_dict of GET ${path} takes 1 to 4 known fields, each 1 or -1`, async () => {
    const acme = await api.tenant();
    const right = [{ _id: 1 }, { created_ts: 1, updated_ts: -1, status_update_date: 1, _id: -1 }];
    for (const sort_dict of right) idsOf(await acme.get(path, { sort_dict }));
    const wrong = [
      {},
      { _id: 0 },
      { _id: 2 },
      { _id: "1" },
      { _id: "desc" },
      { nonsense: 1 },
      { tags: 1 },
      [],
      "_id",
      "{",
      '[["_id",1]]',
      "5",
      { created_ts: 1, updated_ts: 1, status_update_date: 1, [type.filter[0]!]: 1, _id: 1 },
    ];
    for (const sort_dict of wrong) {
      assertBlames(await acme.get(path, { sort_dict }), "query", "sort_dict");
    }
  });
}

// docs/lists.md
test("eval_object_id is a boolean", async () => {
  const acme = await api.tenant();
  for (const eval_object_id of ["true", "false", "True", "1", "0"]) {
    idsOf(await acme.get("/crm/leads", { eval_object_id }));
  }
  for (const input of ["maybe", "2"]) {
    const reply = await acme.get("/crm/leads", { eval_object_id: input });
    assertInvalid(reply, { type: "bool_parsing", loc: ["query", "eval_object_id"], input });
  }
});

// docs/lists.md#sorting
test("lists are sorted by filterable fields and timestamps, then by _id in the last direction", async () => {
  const acme = await api.tenant();
  const made = [];
  for (const value_of_sale of [20, 10, 20]) made.push(await create(acme, deal, { value_of_sale }));
  const [a, b, c] = made.map(({ _id }) => _id);
  const sorted = async (sort_dict: unknown) => idsOf(await acme.get("/crm/deals", { sort_dict }));
  assert.deepEqual(await sorted({ value_of_sale: 1 }), [b, a, c]);
  assert.deepEqual(await sorted({ value_of_sale: -1 }), [c, a, b]);
  assert.deepEqual(await sorted({ value_of_sale: -1, _id: 1 }), [a, c, b]);
  assert.deepEqual(await sorted({ _id: 1 }), [a, b, c]);
  await api.restamp("deals", b, { updated_ts: 1_600_000_000 });
  assert.equal((await sorted({ updated_ts: 1 }))[0], b);
  await api.restamp("deals", c, { created_ts: 1_600_000_000 });
  assert.equal((await sorted({ timestamp: 1 }))[0], c);
});

for (const type of ALL_TYPES) {
  // docs/lists.md#cursors
  test(`next links of GET ${type.list} visit every ${type.name} once`, async () => {
    const acme = await api.tenant();
    const ids = await several(acme, type, 5);
    assert.deepEqual(await walk(acme, type.list, { page_size: 2 }), ids);
    const rising = { page_size: 2, sort_dict: { created_ts: 1 } };
    assert.deepEqual(await walk(acme, type.list, rising), ids.toReversed());
    assert.equal(nextOf(await acme.get(type.list, { page_size: 5 })), undefined);
  });

  for (const { path, on } of type.windows) {
    // docs/lists.md#time-windows
    test(`GET ${path} returns the whole time window, or pages of it on request`, async () => {
      const acme = await api.tenant();
      const body = await create(acme, type);
      const refs = type.needsAccount ? { account_id: body["account_id"] } : {};
      await createMany(acme, type, 54, refs);
      const all = await acme.get(path);
      assert.equal(idsOf(all).length, 55);
      assert.equal(nextOf(all), undefined);
      const order = rowsOf(all).map((row) => `${row[on]} ${row["_id"]}`);
      assert.deepEqual(order, order.toSorted().toReversed());
      const page = await acme.get(path, { page_size: 10, page_num: 2 });
      assert.deepEqual(idsOf(page), idsOf(all).slice(10, 20));
      assert.deepEqual(await walk(acme, path, { page_size: 20 }), idsOf(all));
    });
  }
}

// docs/lists.md#cursors
test("a link is relative and contains the filter, the sort and the resolved time window", async () => {
  const acme = await api.tenant();
  for (const name of ["a", "b", "c"]) await create(acme, lead, { name, tags: ["x"] });
  await create(acme, lead, { name: "d" });
  const query = { match_filter_dict: { tags: "x" }, sort_dict: { name: 1 }, page_size: 1 };
  const first = await acme.get("/crm/leads/created", query);
  const next = nextOf(first)!;
  assert.ok(!/^[a-z]+:|^\/\//.test(next), next);
  const names = [rowsOf(first)[0]!["name"]];
  for (let link: string | undefined = next; link !== undefined;) {
    const reply = await acme.get(
      new URL(link, `${api.url}/crm/leads/created`).href.slice(api.url.length),
    );
    names.push(...rowsOf(reply).map(({ name }) => name));
    link = nextOf(reply);
  }
  assert.deepEqual(names, ["a", "b", "c"]);
});

// docs/lists.md#cursors
test("a cursor with another filter, sort or dates, or with page_num, returns 422", async () => {
  const acme = await api.tenant();
  await several(acme, lead, 3);
  const query = { match_filter_dict: { lead_status: "assigned" }, page_size: 1 };
  const next = nextOf(await acme.get("/crm/leads", query))!;
  const cursor = new URL(next, api.url).searchParams.get("cursor");
  assert.equal(idsOf(await acme.get("/crm/leads", { ...query, cursor })).length, 1);
  const misuses = [
    { match_filter_dict: { lead_status: "open" } },
    { sort_dict: { name: 1 } },
    { start_date: "2023-11-15" },
    { page_num: 2 },
  ];
  for (const misuse of misuses) {
    assertBlames(await acme.get("/crm/leads", { ...query, cursor, ...misuse }), "query");
  }
  for (const wrong of ["x", `${cursor}x`, "e30", "0".repeat(5000)]) {
    assertBlames(await acme.get("/crm/leads", { ...query, cursor: wrong }), "query", "cursor");
  }
  assertBlames(await acme.get("/crm/contacts", { page_size: 1, cursor }), "query");
});

// docs/lists.md#cursors
test("a walk neither repeats nor skips records during concurrent writes", async () => {
  const acme = await api.tenant();
  const ids = await several(acme, lead, 6);
  let reply = await acme.get("/crm/leads", { page_size: 2 });
  const seen = idsOf(reply);
  while (nextOf(reply) !== undefined) {
    await create(acme, lead);
    await acme.patch(`/crm/leads/${ids[5]}`, { title: `T${seen.length}` });
    reply = await acme.get(
      new URL(nextOf(reply)!, `${api.url}/crm/leads`).href.slice(api.url.length),
    );
    seen.push(...idsOf(reply));
  }
  assert.deepEqual(seen, ids);
});

// docs/lists.md#totals
test("totals are computed only with Prefer: count=exact", async () => {
  const acme = await api.tenant();
  await several(acme, contact, 3);
  await create(acme, contact, { tags: ["x"] });
  const path = `/crm/contacts?page_size=1`;
  assert.equal((await acme.get(path)).headers.get("x-total-count"), null);
  const asked = (query: string) =>
    acme.request({ method: "GET", path: path + query, headers: { prefer: "count=exact" } });
  assert.equal((await asked("")).headers.get("x-total-count"), "4");
  const filter = `&match_filter_dict=${encodeURIComponent('{"tags":"x"}')}`;
  assert.equal((await asked(filter)).headers.get("x-total-count"), "1");
});

// docs/lists.md
test("leads and tasks have envelopes, all other lists are bare arrays", async () => {
  const acme = await api.tenant();
  for (const { type, path } of LISTS) {
    const { body } = await acme.get(path);
    if (path === lead.list || path === task.list) {
      const name = type.envelope!;
      assert.deepEqual(body, { [name]: [], page_size: 50, page_num: 1 });
    } else assert.deepEqual(body, [], path);
  }
});
