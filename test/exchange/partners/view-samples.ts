/** Leads and contacts of many sources, partners and tenants, with secrets that are easy to find in a response. */

import * as fc from "fast-check";
import { isoSeconds } from "../../../src/platform/clock/clock.ts";
import { BUILT_IN_TYPES, type RecordType } from "../../../src/records/types/index.ts";
import type { JsonObject } from "../../../src/platform/json/index.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Api, Client } from "../../kit/api.ts";
import { SSN } from "../../kit/ssn.ts";
import { bodies, filtersOf, isShallow } from "../../records/filter-samples.ts";
import { importPushed, partnerOf, type TestPartner } from "../exchange-kit.ts";

export type Person = (typeof BUILT_IN_TYPES)["lead" | "contact"];
export const PERSON_TYPES: readonly Person[] = [BUILT_IN_TYPES.lead, BUILT_IN_TYPES.contact];

export const SOURCES = ["Referral", "Google", "Yelp", "Bing", "Unknown"] as const;
/** A string in every comments field, which partners may not read. */
export const HUSH = "hush-hush";
const RECORDS = 40;
const DAY_s = 86_400;
const FIRST_s = Date.UTC(2026, 0, 1) / 1000;
const DAYS = 10;

const at = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** Returns a create request that stores the values of a sample from the filter tests. */
function inputOf(body: JsonObject, index: number): Body {
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : undefined);
  const entry = (name: string, main: string) =>
    (body[name] as readonly JsonObject[] | undefined)?.[0]?.[main];
  return {
    name: text("name") || `Person ${index}`,
    source: at(SOURCES, index),
    status: at(["open", "assigned", "contacted"], index),
    email: entry("email_list", "email"),
    phone: entry("phone_list", "phone"),
    tags: body["tags"],
    employer_name: text("employer_name"),
    profession: text("profession"),
    title: text("title"),
    comments: `${HUSH} ${index}`,
    ssn: SSN,
  };
}

/** Fills a tenant with records of a type, created over ten days. Returns their ids. */
export async function fill(
  api: Api,
  client: Client,
  type: Person,
  seed: number,
): Promise<string[]> {
  const samples = fc.sample(bodies(type), { seed, numRuns: RECORDS });
  const ids: string[] = [];
  for (const [index, sample] of samples.entries()) {
    const { _id } = ok(await client.post(type.writePath, inputOf(sample, index))).body;
    const created_ts = FIRST_s + (index % DAYS) * DAY_s;
    await api.restamp(type.table, _id, { created_ts });
    ids.push(_id);
  }
  return ids;
}

/** Pushes and imports a lead whose preferences name the partner, and converts the lead to a contact. */
export async function bring(client: Client, partner: TestPartner, source: string): Promise<void> {
  const match_preferences = { wish: `of ${partner.partner_id}` };
  const { id } = await partner.push({ source, match_preferences, comments: HUSH });
  const { _id } = await importPushed(client, id);
  ok(await client.post(`/crm/leads/${String(_id)}/convert`));
}

/** Creates two partners that share the source Google, and records of each. */
export async function twoPartners(client: Client): Promise<readonly [TestPartner, TestPartner]> {
  const one = await partnerOf(client, { allowed_marketing_sources: ["Referral", "Google"] });
  const two = await partnerOf(client, { allowed_marketing_sources: ["Google", "Yelp"] });
  for (const source of ["Google", "Referral", "Google"]) await bring(client, one, source);
  for (const source of ["Google", "Yelp", "Google"]) await bring(client, two, source);
  return [one, two];
}

const SORTABLE = ["_id", "name", "lead_source", "employer_name", "profession", "created_ts"];
const dates = fc.option(
  fc.integer({ min: -1, max: DAYS }).map((day) => isoSeconds(FIRST_s + day * DAY_s)),
  { nil: undefined },
);

/** Returns a record type without the `partner_id` filter, which partners cannot use. */
const asSeen = (type: Person): RecordType => ({
  ...type,
  lists: Object.fromEntries(
    Object.entries(type.lists).map(([name, listing]) => [
      name,
      { ...listing, filter: listing.filter.filter((field) => field !== "partner_id") },
    ]),
  ),
});

/** Generates list queries with filters, sort orders, dates and existing ids. */
export function queries(type: Person, ids: readonly string[]): fc.Arbitrary<Body> {
  const { filters } = filtersOf(asSeen(type));
  const sources = fc.subarray([...SOURCES]);
  const bySource = fc.oneof(
    sources.map((some) => ({ lead_source: { $in: some } })),
    sources.map((some) => ({ lead_source: { $nin: some } })),
    fc.constantFrom(...SOURCES).map((one) => ({ lead_source: { $ne: one } })),
    fc.constantFrom("e", "^G", ".*", "[A-Z]$").map(($regex) => ({ lead_source: { $regex } })),
  );
  const byId = fc
    .subarray([...ids], { maxLength: 12 })
    .map((some) => ({ _id: { $in: some.map((id) => `ObjectId('${id}')`) } }));
  const one = fc.oneof(filters, bySource, byId);
  const both = fc
    .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(one, { minLength: 1, maxLength: 2 }))
    .map(([operator, parts]): JsonObject => ({ [operator]: parts }))
    .filter(isShallow);
  const sort = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...SORTABLE), fc.constantFrom(1, -1)), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((keys) => Object.fromEntries(keys));
  return fc
    .record({
      match_filter_dict: fc.option(fc.oneof(one, both), { nil: undefined }),
      eval_object_id: fc.constant(true),
      sort_dict: fc.option(sort, { nil: undefined }),
      start_date: dates,
      end_date: dates,
    })
    .filter(({ start_date, end_date }) => !(start_date && end_date && start_date > end_date));
}
