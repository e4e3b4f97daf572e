/** Finds a pushed lead's possible duplicates (records and other pushes) for the reviewer to compare. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { isoSeconds } from "../../platform/clock/index.ts";
import { run } from "../../platform/database/index.ts";
import {
  CREATED_TS,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../../platform/schemas/index.ts";
import { hasExpired, PUSHED_LEAD, type PushedLead } from "../pushed-leads/index.ts";
import { PERSONS } from "../lookup/index.ts";

/** Maximum number of possible duplicates of each kind to return. The newest are returned. */
const SHOWN_MAX = 10;

const MEMBERS = {
  record: string("The kind of duplicate: `lead`, `contact` or `pushed_lead`.", {
    enum: ["lead", "contact", PUSHED_LEAD],
  }),
  id: string("The id."),
  name: nullable(string("The name.")),
  email: nullable(string("The email.")),
  phone: nullable(string("The phone number.")),
  source: nullable(string("The source of the lead.")),
  status: nullable(string("The status.")),
  partner_id: nullable(string("The id of the partner.")),
  created_ts: CREATED_TS,
  created_date: string("`created_ts` in ISO 8601, UTC.", { format: "date-time" }),
  matched_on: {
    type: "array",
    items: { type: "string", enum: ["email", "phone"] },
    description: "The fields that match.",
  },
} as const satisfies Schemas;

/** A possible duplicate in review responses. */
export const POSSIBLE_DUPLICATE_SCHEMA = objectSchema(MEMBERS, [
  "record",
  "id",
  "name",
  "email",
  "phone",
  "source",
  "status",
  "matched_on",
]);

type PossibleDuplicate = Members<typeof MEMBERS>;

interface PossibleDuplicateRow extends Omit<PossibleDuplicate, "created_date" | "matched_on"> {
  readonly by_email: boolean;
  readonly by_phone: boolean;
}

/**
 * Returns records, and other pushed leads that are pending or accepted, with the same email address or phone number.
 * The newest of each kind come first.
 */
export async function findPossibleDuplicates(
  { db, tenantId }: Scope,
  lead: PushedLead,
  now_s: number,
): Promise<readonly PossibleDuplicate[]> {
  if (lead.email_key === null && lead.phone_key === null) return [];
  const parts = [
    ...PERSONS.map((type) => ofRecords(tenantId, type, lead)),
    ofPushes(tenantId, lead, now_s),
  ];
  const rows = await run<PossibleDuplicateRow[]>(db)`${join(parts, " union all ")}`;
  return rows.map(({ by_email, by_phone, ...row }) => ({
    ...row,
    created_date: isoSeconds(row.created_ts),
    matched_on: [...(by_email ? ["email" as const] : []), ...(by_phone ? ["phone" as const] : [])],
  }));
}

const ofRecords = (
  tenantId: string,
  { name, table, statusField }: (typeof PERSONS)[number],
  { email_key, phone_key }: PushedLead,
): Sql => {
  const found = (column: string, key: string | null): Sql =>
    sql`select id from ${raw(table)}
         where tenant_id = ${tenantId} and ${raw(column)} @> array[${key}::text]`;
  return sql`
    (select ${name} as record, t.id, t.name, t.body->>'email' as email, t.body->>'phone' as phone,
            t.lead_source as source, t.body->>${statusField} as status,
            t.body->>'partner_id' as partner_id, t.created_ts,
            coalesce(t.email_list @> array[${email_key}::text], false) as by_email,
            coalesce(t.phone_list @> array[${phone_key}::text], false) as by_phone
       from ${raw(table)} t
      where t.tenant_id = ${tenantId}
        and t.id in (${found("email_list", email_key)} union ${found("phone_list", phone_key)})
      order by t.id desc limit ${SHOWN_MAX})`;
};

const ofPushes = (
  tenantId: string,
  { id, email_key, phone_key }: PushedLead,
  now_s: number,
): Sql => sql`
  (select 'pushed_lead' as record, p.id, p.name, p.email, p.phone, p.source, p.status, p.partner_id,
          p.submitted_ts as created_ts, coalesce(p.email_key = ${email_key}::text, false) as by_email,
          coalesce(p.phone_key = ${phone_key}::text, false) as by_phone
     from pushed_leads p
    where p.tenant_id = ${tenantId} and p.id <> ${id} and p.status in ('pending', 'accepted')
      and not (p.status = 'pending' and ${hasExpired(now_s)})
      and (p.email_key = ${email_key}::text or p.phone_key = ${phone_key}::text)
    order by p.id desc limit ${SHOWN_MAX})`;
