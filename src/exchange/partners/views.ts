/**
 * A tenant's leads and contacts as a partner sees them: only those from its allowed sources, without ssn and comments,
 * and without other partners' attributions.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { once } from "../../platform/cache/index.ts";
import { fieldsParameter, type Schema } from "../../platform/validation/index.ts";
import { objectSchema } from "../../platform/schemas/index.ts";
import type { CountryCode } from "../../records/contact-details/index.ts";
import type { Listing, RecordType } from "../../records/types/index.ts";
import { type ListQuery, planList } from "../../records/list/index.ts";
import { responseSchema } from "../../records/schemas/index.ts";
import type { Partner } from "./partner-bodies.ts";

const HIDDEN: readonly string[] = ["ssn", "comments"];
/** Members that are null unless the record is attributed to the partner. */
const OWN: readonly string[] = ["partner_id", "pushed_lead_id", "match_preferences_dict"];

/** The members of a record that a partner may see, with their schemas. */
const shownOf = once((type: RecordType): readonly (readonly [name: string, schema: Schema])[] =>
  Object.entries(responseSchema(type)["properties"]).filter(([name]) => !HIDDEN.includes(name)),
);

const namesShown = once((type: RecordType) => shownOf(type).map(([name]) => name));

/** The `fields` parameter of a view. */
export const viewFields = once((type: RecordType) => fieldsParameter(namesShown(type)));

/** Selects the members of a record's body that the partner may see. */
function projection(type: RecordType, partner: Partner, fields: ListQuery["fields"]): Sql {
  const names = fields ?? namesShown(type);
  const members = names.map((name) =>
    OWN.includes(name)
      ? sql`case when body->>'partner_id' = ${partner.id} then x.${raw(name)} end as ${raw(name)}`
      : raw(`x.${name}`),
  );
  return sql`(select row_to_json(v)
                from json_to_record(body) as x(${raw(names.map((name) => `${name} json`).join(", "))}),
                     lateral (select ${join(members)}) v)`;
}

export interface Viewing {
  readonly type: RecordType;
  readonly query: ListQuery;
  readonly partner: Partner;
  readonly country: CountryCode;
  readonly now_s: number;
}

/** Plans a list of the records that a partner sees. Takes the same parameters as the CRM list. */
export const planView = ({ type, query, partner, country, now_s }: Viewing) =>
  planList({
    type,
    listing: viewListing(type),
    query,
    country,
    now_s,
    within: sql`lead_source = any(${partner.allowed_marketing_sources}::text[])`,
    shown: { show: projection(type, partner, query.fields) },
  });

/**
 * The list of the records that a partner sees. Members that are null for other partners' records cannot be used in
 * filters.
 */
export const viewListing = once((type: RecordType): Listing => ({
  ...type.lists["all"],
  path: `/crm/partner/${type.table}`,
  on: "created_ts",
  filter: (type.lists["all"]?.filter ?? []).filter(
    (name) => !HIDDEN.includes(name) && !OWN.includes(name),
  ),
}));

/** Returns the schema of a record that a partner sees. */
export const viewSchema = (type: RecordType): Schema => ({
  title: `Partner${type.schemaName}Response`,
  ...objectSchema(Object.fromEntries(shownOf(type))),
});
