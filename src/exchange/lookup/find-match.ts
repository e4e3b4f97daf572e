/**
 * Determines whether a tenant knows a person. Compares email addresses and phone numbers as described in
 * docs/duplicates.md. The search function is passed in, so that another system can be searched instead.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import { NotConfirmed } from "../../platform/operations/index.ts";
import { confirmation, refuseCached, type PartnerCaller } from "../partners/index.ts";
import {
  keyTexts,
  type ContactDetails,
  type PersonKeys,
} from "../../records/contact-details/index.ts";
import { TYPE_FACTS } from "../../records/types/index.ts";

export interface FoundPerson {
  readonly name: string | null;
  /** Whether the record was created or updated, or its status changed, in the last 30 days. */
  readonly active: boolean;
}

/** Finds a person. Returns undefined if no record has the given address or number. */
export type FindPerson = (
  scope: Scope,
  person: PersonQuery,
  now_s: number,
) => Promise<FoundPerson | undefined>;

/** A person's details as sent by a partner, the keys to compare, and the requesting partner. */
export interface PersonQuery {
  readonly given: ContactDetails;
  readonly keys: PersonKeys;
  readonly caller: PartnerCaller;
}

const ACTIVE_s = 30 * 86_400;

/** The columns to search, the most reliable match first. */
const SEARCHED_COLUMNS = [
  { key: "email", column: "email_list" },
  { key: "phone", column: "phone_list" },
] as const;

/** The record types that describe people. */
export const PERSONS = [TYPE_FACTS.lead, TYPE_FACTS.contact] as const;

/**
 * Searches the tenant's leads and contacts. Matches by email take precedence over those by phone, and newer records
 * over older ones. Throws NotConfirmed if the caller has changed.
 */
export const findInRecords: FindPerson = async ({ db, tenantId }, { keys, caller }, now_s) => {
  const persons = personsSql(tenantId, keys);
  if (persons === undefined) {
    refuseCached(caller);
    return undefined;
  }
  const read = await run<FoundRow[]>(
    db,
  )`select c.is_confirmed, p.* from (${confirmation(caller)}) c left join (${persons}) p on true
         order by p.rank, p.created_ts desc, p.id desc`;
  if (read[0]?.is_confirmed !== true) throw new NotConfirmed();
  const rows = read.filter(({ rank }) => rank !== null);
  const [best] = rows;
  if (best === undefined) return undefined;
  const sameRank = rows.filter(({ rank }) => rank === best.rank);
  const last_ts = Math.max(...sameRank.map((row) => row.last_ts));
  return { name: best.name, active: last_ts >= now_s - ACTIVE_s };
};

/** A row of the search result. The rank is null if no one was found. */
interface FoundRow {
  readonly is_confirmed: boolean;
  readonly rank: number | null;
  readonly name: string | null;
  readonly last_ts: number;
}

/**
 * Returns a query that finds the newest lead and contact for each key and ranks the matches, or undefined without keys.
 * The query always searches every key, and reads a row even if there is no match. As a result, the response times of
 * lookups and pushes do not reveal whether the person is known.
 */
function personsSql(tenantId: TenantId, keys: PersonKeys): Sql | undefined {
  const parts = searchesOf(tenantId, keys, newestWith);
  if (parts.length === 0) return undefined;
  return sql`
    with found as materialized (${join(parts, " union all ")})
    select * from found union all
    select null, id, null, 0, 0 from leads
     where not exists (select from found) and ${isDecoy(tenantId, keys)}`;
}

/** Returns an expression for whether personsSql would find anyone. It searches and reads as much as personsSql. */
export function isPersonSql(tenantId: TenantId, keys: PersonKeys): Sql {
  const counts = searchesOf(tenantId, keys, countWith);
  if (counts.length === 0) return sql`false`;
  // A count is never negative, so the row is read without changing the result.
  return sql`(
    select case when found > 0 then true
                else (select count(*) < 0 from leads where ${isDecoy(tenantId, keys)}) end
      from (select ${join(counts, " + ")} as found) counted)`;
}

const searchesOf = (tenantId: TenantId, keys: PersonKeys, search: typeof newestWith) =>
  SEARCHED_COLUMNS.flatMap(({ key, column }, rank) => {
    const text = keys[key];
    return text === null
      ? []
      : PERSONS.map(({ table }) => {
          const has = sql`tenant_id = ${tenantId} and ${raw(column)} @> array[${text}::text]`;
          return search(raw(table), has, rank);
        });
  });

/**
 * Returns the condition for a row of the table of leads that is read if no one was found. The same keys always select
 * the same row. Lookups of unknown people therefore take as long as those of known people, which also read a row, often
 * from disk.
 */
const isDecoy = (tenantId: TenantId, keys: PersonKeys): Sql => sql`
  tenant_id = ${tenantId}
     and ctid = (select format('(%s,1)', abs(hashtext(${keyTexts(keys).join(" ")}::text)::bigint)
                                         % greatest(relpages, 1))::tid
                   from pg_class where oid = 'leads'::regclass)`;

/**
 * Returns a query for the newest record with a key, and for the last time that any record with the key changed. With
 * `offset 0`, the planner uses the key index. Without it, the planner expects one record in 200 to match and scans the
 * table in order of age.
 */
const newestWith = (table: Sql, has: Sql, rank: number): Sql => sql`
  (select ${rank}::integer as rank, id, name, created_ts, last_ts
     from (select id, name, created_ts,
                  max(greatest(updated_ts, status_update_date)) over () as last_ts
             from ${table}
            where ${has} offset 0) m
    order by created_ts desc, id desc limit 1)`;

/** Returns a query for the number of matches. PostgreSQL would scan the table for a query that ends at the first one. */
const countWith = (table: Sql, has: Sql): Sql => sql`(select count(*) from ${table} where ${has})`;
