/**
 * Determines whether a tenant knows a person, by email address and phone number, which are compared
 * as described in docs/duplicates.md. The search is passed in as a function, so that another system
 * can be queried instead.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import { NotConfirmed } from "../../platform/operations/index.ts";
import { confirmation, refuseCached, type PartnerCaller } from "./partner-caller.ts";
import {
  keyTexts,
  RECORD_TYPES,
  type ContactDetails,
  type PersonKeys,
} from "../../records/index.ts";

export interface FoundPerson {
  readonly name: string | null;
  /** Created, updated or moved to another status in the last 30 days. */
  readonly active: boolean;
}

/** Finds a person; undefined if no record has that address or number. */
export type FindPerson = (
  scope: Scope,
  person: PersonQuery,
  now_s: number,
) => Promise<FoundPerson | undefined>;

/** A person as described by a partner, the keys to compare, and the requesting partner. */
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
export const PERSONS = [RECORD_TYPES.lead, RECORD_TYPES.contact] as const;

/**
 * Searches the tenant's leads and contacts. A match by email takes precedence over one by phone,
 * then the newest record. Throws NotConfirmed if the caller has changed.
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

/** The rank is null if no one was found. */
interface FoundRow {
  readonly is_confirmed: boolean;
  readonly rank: number | null;
  readonly name: string | null;
  readonly last_ts: number;
}

/**
 * Returns the newest lead and contact for each key, as rows with a rank; undefined without keys. Every key
 * is searched. If no one is found, a row without a rank is read instead, so that the response time
 * of neither a lookup nor a push reveals whether the person is known.
 */
export const personsSql = (tenantId: TenantId, keys: PersonKeys): Sql | undefined =>
  forEachKey(tenantId, keys, newestWith);

/** Like personsSql, but returns only whether a lead or contact exists for each key. Names and times are empty. */
export const anyPersonsSql = (tenantId: TenantId, keys: PersonKeys): Sql | undefined =>
  forEachKey(tenantId, keys, existsWith);

function forEachKey(
  tenantId: TenantId,
  keys: PersonKeys,
  oneWith: typeof newestWith,
): Sql | undefined {
  const parts = SEARCHED_COLUMNS.flatMap(({ key, column }, rank) => {
    const text = keys[key];
    return text === null
      ? []
      : PERSONS.map(({ table }) => {
          const has = sql`tenant_id = ${tenantId} and ${raw(column)} @> array[${text}::text]`;
          return oneWith(rank, raw(table), has);
        });
  });
  if (parts.length === 0) return undefined;
  return sql`
    with found as materialized (${join(parts, " union all ")})
    select * from found union all ${decoyRow(tenantId, keyTexts(keys).join(" "))}`;
}

/**
 * Reads one page of leads if no one was found, always the same page for the same keys. For a known
 * person, such a page must be read, which with many leads comes from disk and takes longer than
 * everything else.
 */
const decoyRow = (tenantId: string, keys: string): Sql => sql`
  select null, id, null, 0, 0 from leads
   where tenant_id = ${tenantId} and not exists (select from found)
     and ctid = (select format('(%s,1)', abs(hashtext(${keys}::text)::bigint) % greatest(relpages, 1))::tid
                   from pg_class where oid = 'leads'::regclass)`;

/**
 * Returns the newest record with a key, and the last time that any such record changed. `offset 0` makes
 * the planner use the key index. Otherwise, it expects one person in 200 to match and scans the
 * table by age.
 */
const newestWith = (rank: number, table: Sql, has: Sql): Sql => sql`
  (select ${rank}::integer as rank, id, name, created_ts, last_ts
     from (select id, name, created_ts,
                  max(greatest(updated_ts, status_update_date)) over () as last_ts
             from ${table}
            where ${has} offset 0) m
    order by created_ts desc, id desc limit 1)`;

/** One row if there is any match. It counts all matches, because with a limit the planner would scan the table. */
const existsWith = (rank: number, table: Sql, has: Sql): Sql => sql`
  (select ${rank}::integer as rank, min(id) as id, null as name, 0 as created_ts, 0 as last_ts
     from ${table} where ${has} having count(*) > 0)`;
