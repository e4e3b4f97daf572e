/**
 * Whatever leads and contacts a partner requests, it sees only records from its sources. Some fields are shown only
 * for its own records.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../../api/samples.ts";
import type { Answer } from "../../kit/api.ts";
import { showsSsn } from "../../kit/ssn.ts";
import { faultsOf, nextOf, partnerOf, refused, type TestPartner } from "../exchange-kit.ts";
import { fill, HUSH, PERSON_TYPES, queries, twoPartners, type Person } from "./view-samples.ts";

/** `VIEW_SEED=… VIEW_RUNS=…` repeats a run or starts a longer one. */
const seed = Number(process.env["VIEW_SEED"] ?? Date.now() % 1_000_000_000);
const numRuns = Number(process.env["VIEW_RUNS"] ?? 40);

const api = await sharedApi();
const acme = await api.tenant();
const rival = await api.tenant();
const ids: Record<string, readonly string[]> = {};
for (const type of PERSON_TYPES) {
  const theirs = await fill(api, rival, type, seed);
  ids[type.table] = [...(await fill(api, acme, type, seed)), ...theirs.slice(0, 5)];
}
const [one, two] = await twoPartners(acme);
await twoPartners(rival);

const ALLOWED = new Map([
  [one, ["Referral", "Google"]],
  [two, ["Google", "Yelp"]],
]);
const UNSEEN = ["ssn", "comments"];
const OWN = ["partner_id", "pushed_lead_id", "match_preferences_dict"];

/**
 * Returns the records and members that a partner may see, as described in
 * docs/partner-exchange.md#list-leads-and-contacts.
 */
function visible(partner: TestPartner, records: readonly Body[]): readonly Body[] {
  const allowed = ALLOWED.get(partner) ?? [];
  return records
    .filter(({ lead_source }) => allowed.includes(String(lead_source)))
    .map((record) => {
      const isOwn = record["partner_id"] === partner.partner_id;
      const shown = Object.entries(record).filter(([name]) => !UNSEEN.includes(name));
      return Object.fromEntries(
        shown.map(([name, value]) => [name, OWN.includes(name) && !isOwn ? null : value]),
      );
    });
}

const viewOf = ({ table }: Person): string => `/crm/partner/${table}`;

/** Asserts that a text contains nothing that must be hidden from a partner. */
function assertDiscreet(text: string, partner: TestPartner): void {
  const other = partner === one ? two : one;
  assert.ok(!showsSsn(text), text);
  for (const hidden of [HUSH, '"ssn"', '"comments"', other.partner_id]) {
    assert.ok(!text.includes(hidden), hidden);
  }
}

/** Returns the records on all pages of a query. */
async function walk(partner: TestPartner, path: string, query: Body): Promise<readonly Body[]> {
  const found: Body[] = [];
  let answer: Answer = ok(await partner.get(path, query));
  for (;;) {
    assertDiscreet(answer.text, partner);
    found.push(...recordsIn(answer));
    const next = nextOf(answer);
    if (next === undefined) return found;
    answer = ok(await partner.get(next));
  }
}

for (const type of PERSON_TYPES) {
  test(`a partner's ${type.table} are the tenant's own response, filtered, for any query`, async () => {
    let told = 0;
    const asked = fc.tuple(
      queries(type, ids[type.table] ?? []),
      fc.constantFrom(one, two),
      fc.integer({ min: 2, max: 25 }),
    );
    const holds = fc.asyncProperty(asked, async ([query, partner, page_size]) => {
      const all = recordsIn(
        ok(await acme.get(type.readPaths[0] ?? "", { ...query, page_size: 500 })),
      );
      const expected = visible(partner, all);
      told += expected.length > 0 && expected.length < all.length ? 1 : 0;
      assert.deepEqual(await walk(partner, viewOf(type), { ...query, page_size }), expected);
      const second = await partner.get(viewOf(type), { ...query, page_size, page_num: 2 });
      assert.deepEqual(recordsIn(ok(second)), expected.slice(page_size, 2 * page_size));
    });
    await fc.assert(holds, { seed, numRuns });
    assert.ok(told > numRuns / 8, `only ${told} queries told views apart`);
  });
}

/** Requests a list with its total count. */
const counted = (partner: TestPartner, path: string): Promise<Answer> =>
  partner.request({ method: "GET", path, headers: { prefer: "count=exact" } });

test("a count includes only what the partner sees", async () => {
  for (const type of PERSON_TYPES) {
    const all = recordsIn(ok(await acme.get(type.readPaths[0] ?? "", { page_size: 500 })));
    for (const partner of [one, two]) {
      const answer = ok(await counted(partner, `${viewOf(type)}?page_size=1`));
      const expected = visible(partner, all).length;
      assert.equal(answer.headers.get("x-total-count"), String(expected));
      assert.ok(expected > 10 && expected < all.length);
      const filter = encodeURIComponent(JSON.stringify({ lead_source: { $ne: "Google" } }));
      const some = ok(await counted(partner, `${viewOf(type)}?match_filter_dict=${filter}`));
      const rest = visible(partner, all).filter(({ lead_source }) => lead_source !== "Google");
      assert.equal(some.headers.get("x-total-count"), String(rest.length));
    }
  }
});

test("an email or number of a hidden record finds nothing", async () => {
  for (const type of PERSON_TYPES) {
    const body = { name: "Hidden", email: "hidden@example.com", phone: "555 555 0123" };
    ok(await acme.post(type.writePath, { ...body, source: "Bing" }));
    for (const match_filter_dict of [
      { email_list: body.email },
      { phone_list: body.phone },
      { email_list: { $elemMatch: { email: body.email } } },
      { name: "Hidden" },
      { $or: [{ email_list: body.email }, { name: "Hidden" }] },
      { lead_source: "Bing" },
    ]) {
      const answer = await counted(
        one,
        `${viewOf(type)}?${new URLSearchParams({ match_filter_dict: JSON.stringify(match_filter_dict) }).toString()}`,
      );
      assert.deepEqual(recordsIn(ok(answer)), []);
      assert.equal(answer.headers.get("x-total-count"), "0");
    }
  }
});

const HIDDEN = [...UNSEEN, ...OWN, "userid", "internal", "tenant_id", "body"];

test("hidden fields can be neither filtered nor sorted by", async () => {
  for (const type of PERSON_TYPES) {
    for (const name of HIDDEN) {
      const filtered = await one.get(viewOf(type), { match_filter_dict: { [name]: "x" } });
      const [fault] = faultsOf(filtered);
      assert.ok(fault?.startsWith("query.match_filter_dict"), fault);
      const nested = { $or: [{ name: "x" }, { [name]: { $regex: "^1" } }] };
      assert.equal((await one.get(viewOf(type), { match_filter_dict: nested })).status, 422);
      const sorted = await one.get(viewOf(type), { sort_dict: { [name]: 1 } });
      assert.ok(faultsOf(sorted)[0]?.startsWith("query.sort_dict"));
    }
  }
});

test("a cursor of one partner shows another only its own sources", async () => {
  for (const type of PERSON_TYPES) {
    const next = nextOf(ok(await one.get(viewOf(type), { page_size: 3 })));
    assert.ok(next);
    const answer = await two.get(next);
    const allowed = ALLOWED.get(two) ?? [];
    for (const { lead_source } of recordsIn(ok(answer))) {
      assert.ok(allowed.includes(String(lead_source)));
    }
    assertDiscreet(answer.text, two);
  }
});

test("a partner without allowed sources sees nothing, not even records without a source", async () => {
  const bare = await partnerOf(acme, { allowed_marketing_sources: [] });
  for (const type of PERSON_TYPES) {
    const answer = await counted(bare, viewOf(type));
    assert.deepEqual(recordsIn(ok(answer)), []);
    assert.equal(answer.headers.get("x-total-count"), "0");
  }
});

test("another list of sources applies at once", async () => {
  const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google"] });
  const path = `/crm/admin/partners/${partner.partner_id}`;
  for (const allowed_marketing_sources of [["Yelp", "Bing"], [], ["Referral"]]) {
    ok(await acme.patch(path, { allowed_marketing_sources }));
    const { leads } = ok(await partner.get("/crm/partner/leads", { page_size: 500 })).body;
    const seen = new Set<string>(leads.map((lead: Body) => lead["source"]));
    assert.deepEqual(seen, new Set(allowed_marketing_sources));
  }
});

test("leads and contacts need separate permissions", async () => {
  const rights = { "/crm/partner/leads": "read_leads", "/crm/partner/contacts": "read_contacts" };
  const others = ["lookup", "lookup_name", "analytics"];
  for (const [path, permission] of Object.entries(rights)) {
    for (const [other, needed] of Object.entries(rights)) {
      const partner = await partnerOf(acme, { permissions: [...others, permission] });
      const answer = await partner.get(other);
      if (other === path) ok(answer);
      else assert.ok(String(refused(answer, 403)["detail"]).includes(needed));
    }
  }
});

test("the views accept and return what the CRM's lists do, and write nothing", async () => {
  const answer = ok(await one.get("/crm/partner/leads", { page_size: 2, page_num: 3 })).body;
  assert.deepEqual(Object.keys(answer), ["leads", "page_size", "page_num"]);
  assert.deepEqual([answer.page_size, answer.page_num], [2, 3]);
  assert.ok(Array.isArray(ok(await one.get("/crm/partner/contacts")).body));
  for (const path of ["/crm/partner/leads", "/crm/partner/contacts"]) {
    assert.deepEqual(faultsOf(await one.get(path, { page_size: 501 })), [
      "query.page_size less_than_equal",
    ]);
    assert.deepEqual(faultsOf(await one.get(path, { reveal: "ssn" })), [
      "query.reveal extra_forbidden",
    ]);
    for (const method of ["POST", "PATCH", "DELETE"]) {
      assert.equal((await one.request({ method, path })).status, 405);
    }
  }
});

test("no parameter of the partner's own pushes shows another's", async () => {
  const buffer = ok(await acme.get("/crm/admin/pushed_leads", { page_size: 500 })).body as Body[];
  const asked = fc.record({
    status: fc.constantFrom(undefined, "pending", "imported", "rejected"),
    source: fc.constantFrom(undefined, "Google", "Referral", "Yelp"),
    start_date: fc.constantFrom(undefined, "2020-01-01"),
    page_size: fc.constantFrom(1, 2, 500),
  });
  const holds = fc.asyncProperty(asked, fc.constantFrom(one, two), async (query, partner) => {
    const { status, source } = query;
    const expected = buffer.filter(
      (lead) =>
        lead["partner_id"] === partner.partner_id &&
        (status === undefined || lead["status"] === status) &&
        (source === undefined || lead["source"] === source),
    );
    const met: Body[] = [];
    let next: string | undefined = "/crm/partner/pushed";
    for (let given: Body = query; next !== undefined; given = {}) {
      const answer: Answer = ok(await partner.get(next, given));
      met.push(...(answer.body as Body[]));
      next = nextOf(answer);
    }
    assert.deepEqual(
      met.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
  });
  await fc.assert(holds, { seed, numRuns: 40 });
});
