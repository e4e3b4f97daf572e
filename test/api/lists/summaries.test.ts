/** GET /crm/<type>/summary: counts and sums match the records in the list. */

import assert from "node:assert/strict";
import { test } from "node:test";
import Big from "big.js";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { RecordType } from "../../../src/records/types/record-types.ts";
import { faultsOf } from "../../exchange/exchange-kit.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { makeReferable, ok, partialBody, recordsIn, type Body } from "../samples.ts";
import { groupColumns, momentColumns, sumColumns } from "../../../src/records/columns/columns.ts";

const api = await fileApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
const RECORDS = 9;
const DAY_s = 86_400;
const INTERVALS = ["day", "week", "month", "quarter", "year"] as const;
const ZONES = ["UTC", "America/New_York", "Asia/Kathmandu"];

type Interval = (typeof INTERVALS)[number];

interface Group {
  readonly period: string | null;
  readonly value: string | number | boolean | null;
  readonly count: number;
  readonly sum: number | null;
}

const pathOf = ({ lists }: RecordType): string => lists["all"]?.path ?? "";
const everyOf = async (type: RecordType): Promise<Body[]> =>
  recordsIn(ok(await acme.get(pathOf(type), { page_size: 500 })));

const made = new Map<RecordType, readonly Body[]>();
for (const type of Object.values(BUILT_IN_TYPES)) {
  for (let seed = 0; seed < RECORDS; seed++) {
    ok(await acme.post(type.writePath, partialBody(type, seed, refs)));
  }
  for (const [at, { _id }] of (await everyOf(type)).entries()) {
    // Timestamps around the end of a year, a month and a day, and around daylight saving time changes.
    const created_ts = Date.UTC(2025, 11, 31, 20) / 1000 + at * 11_111 + (at % 3) * 40 * DAY_s;
    const later = { updated_ts: created_ts + at * DAY_s, status_update_date: created_ts + at };
    await api.restamp(type.table, String(_id), { created_ts, ...later });
  }
  made.set(type, await everyOf(type));
}

/** Returns the first day of the period that contains a time, in a given time zone. */
function periodOf(moment_s: number, interval: Interval, timeZone: string): string {
  const local = new Date(moment_s * 1000).toLocaleDateString("en-CA", { timeZone });
  const day = new Date(`${local}T00:00:00Z`);
  const year = day.getUTCFullYear();
  const month = day.getUTCMonth();
  const date = day.getUTCDate();
  const first = {
    day: [year, month, date],
    week: [year, month, date - ((day.getUTCDay() + 6) % 7)],
    month: [year, month, 1],
    quarter: [year, month - (month % 3), 1],
    year: [year, 0, 1],
  }[interval] as [number, number, number];
  return new Date(Date.UTC(...first)).toISOString().slice(0, 10);
}

interface Asked {
  readonly group_by?: string;
  readonly on?: string;
  readonly interval?: Interval;
  readonly timezone?: string;
  readonly sum?: string;
}

/** Computes the expected summary from the records. The order of the groups is not significant. */
function expectedOf(records: readonly Body[], asked: Asked): readonly Group[] {
  const { group_by, on = "created_ts", interval, timezone = "UTC", sum } = asked;
  const groups = new Map<string, Group>();
  for (const record of records) {
    const moment = record[on] as number | null;
    const period =
      interval === undefined || moment === null ? null : periodOf(moment, interval, timezone);
    const value = group_by === undefined ? null : ((record[group_by] ?? null) as Group["value"]);
    const key = JSON.stringify([period, value]);
    const { count = 0, sum: before = 0 } = groups.get(key) ?? {};
    const added = sum === undefined ? null : Big(before ?? 0).plus(Number(record[sum] ?? 0));
    groups.set(key, { period, value, count: count + 1, sum: added && added.toNumber() });
  }
  return [...groups.values()];
}

const unordered = (groups: readonly Group[]): readonly string[] =>
  groups
    .map(({ period, value, count, sum }) => JSON.stringify([period, value, count, sum]))
    .toSorted();

async function check(type: RecordType, asked: Asked): Promise<void> {
  const records = made.get(type) ?? [];
  const path = `${pathOf(type)}/summary`;
  const { body } = ok(await acme.get(path, { ...asked, limit: 1000 }));
  const what = `${path} ${JSON.stringify(asked)}`;
  assert.deepEqual(unordered(body.groups), unordered(expectedOf(records, asked)), what);
  const { sum } = asked;
  const [all] = expectedOf(records, sum === undefined ? {} : { sum });
  assert.deepEqual(body.total, { count: all?.count, sum: all?.sum }, what);
  assert.equal(body.truncated, false);
}

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a summary of ${type.table} counts by each field what its records contain`, async () => {
    await check(type, {});
    for (const group_by of groupColumns(type).keys()) {
      await check(type, { group_by });
      await check(type, { group_by, interval: "month" });
    }
  });

  test(`a summary of ${type.table} counts by periods of each moment, in the time zone`, async () => {
    for (const on of momentColumns(type).keys()) {
      for (const interval of INTERVALS) {
        for (const timezone of ZONES) await check(type, { on, interval, timezone });
      }
    }
  });

  test(`a summary of ${type.table} adds up each amount`, async () => {
    for (const sum of sumColumns(type).keys()) {
      await check(type, { sum });
      await check(type, { sum, group_by: type.statusField, interval: "week" });
    }
    if (sumColumns(type).size > 0) return;
    const refused = await acme.get(`${pathOf(type)}/summary`, { sum: "created_ts" });
    assert.deepEqual(faultsOf(refused), ["query.sum extra_forbidden"]);
  });
}

test("each type is counted by its status; unique fields, lists and fields that are no amounts are not offered", () => {
  for (const type of Object.values(BUILT_IN_TYPES)) {
    const names = [...groupColumns(type).keys()];
    assert.ok(names.some((name) => name === type.statusField || name === "lead_status"));
    for (const name of ["external_id", "invoice_num", "tags", "email_list"]) {
      assert.ok(!names.includes(name), name);
    }
  }
  const { deal, invoice, task } = BUILT_IN_TYPES;
  assert.deepEqual([...sumColumns(deal).keys()], ["value_of_sale", "estimated_value_of_sale"]);
  assert.deepEqual([...sumColumns(invoice).keys()], ["total_amount"]);
  assert.ok(momentColumns(deal).has("close_date") && groupColumns(task).has("priority"));
});

/** Creates a tenant with these deals. */
async function sellerOf(deals: readonly Body[]) {
  const seller = await api.tenant();
  const account_id = ok(await seller.post("/crm/accounts", { name: "Buyer" })).body._id as string;
  for (const [at, deal] of deals.entries()) {
    ok(await seller.post("/crm/opportunities", { name: `Deal ${at}`, account_id, ...deal }));
  }
  const summary = async (query: Body) => ok(await seller.get("/crm/deals/summary", query));
  return { seller, account_id, summary };
}

test("sums are exact, however many digits they have", async () => {
  const { summary } = await sellerOf([
    { value_of_sale: 999_999_999_999_999 },
    { value_of_sale: 999_999_999_999_999 },
    { value_of_sale: 0.000_001 },
    { value_of_sale: -0.1, stage: "draft" },
    { value_of_sale: -0.2, stage: "draft" },
  ]);
  const { text } = await summary({ sum: "value_of_sale", group_by: "stage" });
  assert.ok(text.includes('"value":"discovery","count":3,"sum":1999999999999998.000001}'), text);
  assert.ok(text.includes('"value":"draft","count":2,"sum":-0.3}'), text);
  assert.ok(text.includes('"total":{"count":5,"sum":1999999999999997.700001}'), text);
});

const shown = (groups: readonly Group[]) =>
  groups.map(({ period, value, count }) => [period, value, count]);

test("the newest period comes first, then the largest group; the group without a value comes last", async () => {
  const [june, july] = [Date.UTC(2026, 5, 30), Date.UTC(2026, 6, 1)].map((ms) => ms / 1000);
  const { summary } = await sellerOf([
    { expected_close_date: june, stage: "draft" },
    { expected_close_date: june, stage: "prospecting" },
    { expected_close_date: june, stage: "prospecting" },
    { expected_close_date: july, stage: "draft" },
    {},
  ]);
  const asked = { on: "expected_close_date", interval: "month", group_by: "stage" };
  const { body } = await summary(asked);
  const all = [
    ["2026-07-01", "draft", 1],
    ["2026-06-01", "prospecting", 2],
    ["2026-06-01", "draft", 1],
    [null, "discovery", 1],
  ];
  assert.deepEqual(shown(body.groups), all);
  assert.equal(body.truncated, false);
  const { body: cut } = await summary({ ...asked, limit: 2 });
  assert.deepEqual(shown(cut.groups), all.slice(0, 2));
  assert.equal(cut.truncated, true);
  assert.deepEqual(cut.total, { count: 5, sum: null });
  assert.equal((await summary({ ...asked, limit: 4 })).body.truncated, false);
});

test("dates select by the chosen moment, including both ends and fractions of a second", async () => {
  const start_s = Date.UTC(2026, 5, 1) / 1000;
  const dates = [start_s - 0.5, start_s, start_s + 10.5, start_s + 11];
  const { summary } = await sellerOf([
    ...dates.map((expected_close_date) => ({ expected_close_date })),
    {},
  ]);
  const counts = async (query: Body) =>
    (await summary({ on: "expected_close_date", ...query })).body.total.count as number;
  assert.equal(await counts({ start_date: "2026-06-01" }), 3);
  assert.equal(await counts({ end_date: "2026-06-01T00:00:10Z" }), 3);
  assert.equal(await counts({ start_date: "2026-06-01", end_date: "2026-06-01T00:00:10Z" }), 2);
  assert.equal((await summary({ start_date: "2027-06-01" })).body.total.count, 0);
});

test("the filter is that of the list, and an empty selection adds up to nothing", async () => {
  const { summary } = await sellerOf([
    { stage: "draft", value_of_sale: 2 },
    { stage: "closed_won", value_of_sale: 3 },
  ]);
  const match_filter_dict = JSON.stringify({ stage: { $ne: "draft" } });
  const { body } = await summary({ sum: "value_of_sale", group_by: "stage", match_filter_dict });
  assert.deepEqual(body.groups, [{ period: null, value: "closed_won", count: 1, sum: 3 }]);
  const none = JSON.stringify({ _id: "ObjectId('000000000000000000000000')" });
  const empty = { sum: "value_of_sale", match_filter_dict: none, eval_object_id: true };
  const nothing = { groups: [], truncated: false, total: { count: 0, sum: 0 } };
  assert.deepEqual((await summary(empty)).body, { ...nothing, timezone: "UTC", currency: "USD" });
});

test("without a time zone the tenant's applies, and the response shows it with the currency", async () => {
  const late = Date.UTC(2026, 11, 31, 23, 30) / 1000;
  const { seller, summary } = await sellerOf([{ expected_close_date: late }]);
  const asked = { on: "expected_close_date", interval: "year" };
  const periods = async (query: Body) => {
    const { groups, timezone, currency } = (await summary({ ...asked, ...query })).body;
    return [groups[0].period, timezone, currency];
  };
  assert.deepEqual(await periods({}), ["2026-01-01", "UTC", "USD"]);
  ok(await seller.patch("/crm/admin/tenant", { timezone: "Europe/Paris", currency: "EUR" }));
  assert.deepEqual(await periods({}), ["2027-01-01", "Europe/Paris", "EUR"]);
  ok(await seller.patch("/crm/admin/tenant", { timezone: "Europe/Kyiv" }));
  assert.deepEqual(await periods({}), ["2027-01-01", "Europe/Kyiv", "EUR"]);
  const there = { timezone: "America/Lima" };
  assert.deepEqual(await periods(there), ["2026-01-01", "America/Lima", "EUR"]);
});

test("another tenant's records do not count", async () => {
  const rival = await api.tenant();
  for (const type of Object.values(BUILT_IN_TYPES)) {
    const [group_by] = groupColumns(type).keys();
    const { body } = ok(await rival.get(`${pathOf(type)}/summary`, { group_by }));
    assert.deepEqual([body.groups, body.total.count], [[], 0], type.name);
  }
});

const REFUSED: readonly (readonly [query: Body, faults: readonly string[]])[] = [
  [{ group_by: "tags" }, ["query.group_by enum"]],
  [{ group_by: "external_id" }, ["query.group_by enum"]],
  [{ group_by: "body->>'ssn'" }, ["query.group_by enum"]],
  [{ on: "value_of_sale" }, ["query.on enum"]],
  [{ sum: "probability_pcnt" }, ["query.sum enum"]],
  [{ interval: "hour" }, ["query.interval enum"]],
  [{ limit: 0 }, ["query.limit greater_than_equal"]],
  [{ limit: 1001 }, ["query.limit less_than_equal"]],
  [{ page_size: 5 }, ["query.page_size extra_forbidden"]],
  [{ timezone: "Mars/Olympus" }, ["query.timezone value_error"]],
  [{ timezone: "+02:00" }, ["query.timezone value_error"]],
  [{ match_filter_dict: "{" }, ["query.match_filter_dict json_invalid"]],
  [
    {
      timezone: "CET",
      match_filter_dict: '{"name": "x"}',
      start_date: "2026-02-01",
      end_date: "2026-01-01",
    },
    [
      "query.timezone value_error",
      "query.match_filter_dict value_error",
      "query.start_date value_error",
    ],
  ],
];

for (const [query, faults] of REFUSED) {
  test(`a summary by ${JSON.stringify(query)} is rejected`, async () =>
    assert.deepEqual(faultsOf(await acme.get("/crm/deals/summary", query)), faults));
}

test("a summary that takes too long returns 422", async (t) => {
  const app = await startOwnApp(t, { url: api.databaseUrl, listTimeout_ms: 300 });
  try {
    await api.sql.begin(async (tx) => {
      await tx`lock table orders in access exclusive mode`;
      const headers = { authorization: `Bearer ${acme.bearer}` };
      const answer = await fetch(`${app.url}/crm/orders/summary`, { headers });
      assert.equal(answer.status, 422);
      assert.match(await answer.text(), /takes too long: limit it with start_date/);
    });
  } finally {
    await app.stop();
  }
});

test("a time zone that the database does not know is rejected like any other", async () => {
  // Only Node.js knows this time zone, which is based on a law that was never passed.
  const query = { timezone: "US/Pacific-New", interval: "day" };
  const answer = await acme.get("/crm/leads/summary", query);
  assert.deepEqual(faultsOf(answer), ["query.timezone value_error"]);
});

test("for other methods the word is still an id", async () => {
  for (const type of Object.values(BUILT_IN_TYPES)) {
    const path = `${pathOf(type)}/summary`;
    assert.equal((await acme.get(`${pathOf(type)}/summary/`)).status, 404);
    const posted = await acme.post(path, {});
    assert.equal(posted.status, 405, path);
    assert.ok(posted.headers.get("allow")?.includes("GET"));
    const patched = await acme.patch(`${type.writePath}/summary`, { name: "x", stage: "open" });
    assert.ok(patched.status === 404 || patched.status === 422, patched.text);
  }
});
