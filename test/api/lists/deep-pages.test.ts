/**
 * Numbered pages far from the start of a list. The service reads them with a different query, which must return the
 * same records as a plain query.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { TenantId } from "../../../src/audit/index.ts";
import { readParameters } from "../../../src/platform/validation/parameters.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { Listing } from "../../../src/records/types/define.ts";
import { pageSql } from "../../../src/records/list/list-sql.ts";
import { planList } from "../../../src/records/list/plan.ts";
import { LIST_PARAMETERS } from "../../../src/records/list/list-parameters.ts";
import { partnerOf } from "../../exchange/partner-kit.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../samples.ts";
import { eventually } from "../../kit/eventually.ts";

const { lead } = BUILT_IN_TYPES;
const RECORDS = 1400;
const BATCH = 700;
/** The offset from which a small page counts as deep. */
const DEEP = 1000;

const api = await fileApi({ rateLimit: 0 });
const acme = await api.tenant();
const partner = await partnerOf(acme, {
  permissions: ["read_leads"],
  allowed_marketing_sources: ["Google"],
});
for (let from = 0; from < RECORDS; from += BATCH) {
  const items = Array.from({ length: BATCH }, (_, at) => ({
    name: `Lead ${(from + at) % 11}`,
    source: "Google",
    status: at % 20 === 0 ? "open" : "assigned",
    ...(at % 30 === 0 ? {} : { email: "many@example.com", tags: [`t${at % 2}`, "all"] }),
  }));
  const { status } = await acme.post("/crm/leads/batch", { items });
  assert.equal(status, 207);
}
// Vacuum until every page is marked all-visible. Open transactions in other tests can delay this.
await eventually(
  async () => {
    await api.sql`vacuum (analyze) leads`;
    const [table] = await api.sql`
    select relallvisible = relpages as marked from pg_class where oid = 'leads'::regclass`;
    return table?.["marked"] === true;
  },
  Boolean,
  120_000,
);

const QUESTIONS: readonly object[] = [
  {},
  { match_filter_dict: { lead_status: "assigned" } },
  { match_filter_dict: { lead_status: { $in: ["assigned", "open"] }, lead_source: "Google" } },
  { match_filter_dict: { tags: "all" } },
  { match_filter_dict: { $or: [{ name: { $ne: "Lead 3" } }, { lead_status: "open" }] } },
  { sort_dict: { name: 1 } },
  { sort_dict: { lead_status: -1, name: 1, _id: -1 } },
  { sort_dict: { title: -1 } },
  { start_date: "2020-01-01", sort_dict: { created_ts: 1 } },
];
/** A filter that matches more records than a key lookup returns, so that the service scans the list. */
const BY_ADDRESS = { match_filter_dict: { email_list: "many@example.com" } };

type Reader = Pick<typeof acme, "get">;
const LISTS: readonly (readonly [string, Reader, readonly object[]])[] = [
  ["/crm/leads", acme, [...QUESTIONS, BY_ADDRESS]],
  ["/crm/leads/created", acme, QUESTIONS.filter((asked) => !("start_date" in asked))],
  ["/crm/partner/leads", partner, QUESTIONS],
];

for (const [path, reader, questions] of LISTS) {
  test(`pages of ${path} after ${DEEP} records continue like those before them`, async () => {
    // One page at a time: on a busy machine, concurrent reads wait too long for a connection and are refused.
    const plain: Body[][] = [];
    for (const asked of questions) {
      const records: Body[] = [];
      for (const page_num of [1, 2, 3]) {
        const page = await reader.get(path, { ...asked, page_size: 500, page_num });
        records.push(...recordsIn(ok(page)));
      }
      plain.push(records);
    }
    for (const records of plain) assert.ok(records.length > DEEP, `only ${records.length}`);
    const which = fc.nat(questions.length - 1);
    const place = fc.integer({ min: DEEP, max: RECORDS + 50 });
    const holds = fc.asyncProperty(which, place, fc.nat(59), async (at, offset, less) => {
      const page_size = less + 1;
      const page_num = Math.ceil(offset / page_size) + 1;
      const from = (page_num - 1) * page_size;
      const answer = ok(await reader.get(path, { ...questions[at], page_size, page_num }));
      const expected = plain[at]?.slice(from, from + page_size);
      assert.deepEqual(recordsIn(answer), expected);
      const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
      const rest = next === undefined ? [] : recordsIn(ok(await reader.get(next)));
      assert.deepEqual(rest, plain[at]?.slice(from + page_size, from + 2 * page_size));
    });
    await fc.assert(holds, { numRuns: 30 });
  });
}

/** Returns PostgreSQL's plan for a page of leads, filtered by status. */
async function explained(page_size: number, page_num: number): Promise<string> {
  const asked = {
    match_filter_dict: JSON.stringify({ lead_status: "assigned" }),
    page_size: String(page_size),
    page_num: String(page_num),
  };
  const { values: query } = readParameters("query", LIST_PARAMETERS, asked);
  const plan = planList({
    type: lead,
    listing: lead.lists.all as Listing,
    query,
    country: "US",
    now_s: 0,
  });
  const page = pageSql(acme.tenantId as TenantId, plan, page_size + 1, undefined);
  return api.sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_bitmapscan = off`;
    const text = `explain (analyze) ${page.text}`;
    const rows = await tx.unsafe(text, page.values);
    return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  });
}

test("a deep page reads no record that it skips; one near the start is read in one step", async () => {
  for (const [size, page, isDeep] of [
    [50, 1, false],
    [50, 20, false],
    [50, 21, true],
    [500, 3, false],
    [250, 4, false],
    [250, 5, true],
  ] as const) {
    const plan = await explained(size, page);
    assert.equal(/Index Only Scan.*leads_lead_status[^]*Heap Fetches: 0/.test(plan), isDeep, plan);
  }
});
