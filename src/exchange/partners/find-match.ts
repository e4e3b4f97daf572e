/**
 * Whether a tenant knows a person, by email address and telephone number as docs/duplicates.md compares
 * them. The search is a function that is passed in, so that another system may be asked instead.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import { NotConfirmed } from "../../platform/operations/index.ts";
import { confirmation, refuseRemembered, type PartnerCaller } from "./partner-caller.ts";
import { keyTexts, RECORD_TYPES, type ContactWays, type PersonKeys } from "../../records/index.ts";

export interface FoundPerson {
  readonly name: string | null;
  /** Created, updated or with another status in the last 30 days. */
  readonly active: boolean;
}

/** Looks a person up; undefined where nobody has that address or number. */
export type FindPerson = (
  scope: Scope,
  person: SoughtPerson,
  now_s: number,
) => Promise<FoundPerson | undefined>;

/** A person as a partner gave it, by what it is compared, and who asks. */
export interface SoughtPerson {
  readonly given: ContactWays;
  readonly keys: PersonKeys;
  readonly caller: PartnerCaller;
}

const ACTIVE_s = 30 * 86_400;

/** Where records keep addresses and numbers, the better way to know a person first. */
const WAYS = [
  { key: "email", column: "email_list" },
  { key: "phone", column: "phone_list" },
] as const;

/** The records of persons. */
export const PERSONS = [RECORD_TYPES.lead, RECORD_TYPES.contact] as const;

/**
 * Searches the tenant's leads and contacts: of several matches e-mail beats phone, then the newest.
 * Throws NotConfirmed if the caller has changed.
 */
export const findInRecords: FindPerson = async ({ db, tenantId }, { keys, caller }, now_s) => {
  const persons = personsSql(tenantId, keys);
  if (persons === undefined) {
    refuseRemembered(caller);
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
  const alike = rows.filter(({ rank }) => rank === best.rank);
  const last_ts = Math.max(...alike.map((row) => row.last_ts));
  return { name: best.name, active: last_ts >= now_s - ACTIVE_s };
};

/** The rank is null where nobody was found. */
interface FoundRow {
  readonly is_confirmed: boolean;
  readonly rank: number | null;
  readonly name: string | null;
  readonly last_ts: number;
}

/**
 * The newest lead and contact by each way to know the person: rows with a rank; undefined where there is
 * no way. Every way is asked at once, and where nobody is found a row without a rank is read instead, so
 * that the time tells nothing: neither here nor of a push, whose answer must not tell.
 */
export const personsSql = (tenantId: TenantId, keys: PersonKeys): Sql | undefined =>
  byEachWay(tenantId, keys, newestWith);

/** The same, but only whether there is a lead or contact for each way: names and times are empty. */
export const anyPersonsSql = (tenantId: TenantId, keys: PersonKeys): Sql | undefined =>
  byEachWay(tenantId, keys, anyWith);

function byEachWay(
  tenantId: TenantId,
  keys: PersonKeys,
  oneWith: typeof newestWith,
): Sql | undefined {
  const parts = WAYS.flatMap(({ key, column }, rank) => {
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
    select * from found union all ${anyRow(tenantId, keyTexts(keys).join(" "))}`;
}

/**
 * Reads a page of leads where nobody was found, always the same for the same keys: a person who is
 * known costs one, which with many leads comes from the disk and takes longer than all the rest.
 */
const anyRow = (tenantId: string, keys: string): Sql => sql`
  select null, id, null, 0, 0 from leads
   where tenant_id = ${tenantId} and not exists (select from found)
     and ctid = (select format('(%s,1)', abs(hashtext(${keys}::text)::bigint) % greatest(relpages, 1))::tid
                   from pg_class where oid = 'leads'::regclass)`;

/**
 * The newest record with a key, and when any of them last moved. `offset 0` keeps the planner at the
 * index of keys: it takes one person in 200 to match and would walk the table by age instead.
 */
const newestWith = (rank: number, table: Sql, has: Sql): Sql => sql`
  (select ${rank}::integer as rank, id, name, created_ts, last_ts
     from (select id, name, created_ts,
                  max(greatest(updated_ts, status_update_date)) over () as last_ts
             from ${table}
            where ${has} offset 0) m
    order by created_ts desc, id desc limit 1)`;

/** One row if there is any. It counts all of them: with a limit, the planner would walk the table here, too. */
const anyWith = (rank: number, table: Sql, has: Sql): Sql => sql`
  (select ${rank}::integer as rank, min(id) as id, null as name, 0 as created_ts, 0 as last_ts
     from ${table} where ${has} having count(*) > 0)`;
