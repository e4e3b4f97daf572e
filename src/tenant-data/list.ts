/**
 * Lists all tenants with their state and size. Small tenants are counted exactly. The size of large ones is estimated
 * from PostgreSQL's statistics, so that the list is fast even with millions of records.
 */

import { raw } from "sql-template-tag";
import { listTenants as storedTenants } from "../tenants/index.ts";
import { isoSeconds } from "../platform/clock/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { RECORD_TABLES } from "../records/types/index.ts";

export type TenantState = "active" | "suspended" | "deleted" | "importing";

export interface ListedTenant extends StoredTenant {
  readonly state: TenantState;
  /** The time at which a tenant that is marked for deletion will be removed. */
  readonly delete_after_date: string | null;
  /** The approximate number of records, and the approximate space that all rows and their indexes use. */
  readonly records: number;
  readonly bytes: number;
  readonly last_used_date: string | null;
}

type StoredTenant = Awaited<ReturnType<typeof storedTenants>>[number];

/** Up to this number, a tenant's rows in a table are counted exactly. */
const COUNTED_MAX = 50_000;

interface StateRow extends Pick<ListedTenant, "id" | "state"> {
  readonly delete_after_ts: number | null;
  readonly last_used_ts: number | null;
}

/** Returns all tenants, oldest first. */
export async function listTenants(db: Db): Promise<readonly ListedTenant[]> {
  const states = await run<StateRow[]>(db)`
    select n.id, n.delete_after_ts,
           case when n.import_started_ts is not null and n.imported_ts is null then 'importing'
                when n.delete_after_ts is not null then 'deleted'
                when n.suspended_ts is not null then 'suspended' else 'active' end as state,
           greatest(
             (select max(last_used_ts) from access_tokens t where t.tenant_id = n.id),
             (select max(last_used_ts) from people p where p.tenant_id = n.id),
             (select extract(epoch from max(at))::bigint
                from (select at, actor_kind from changes c where c.tenant_id = n.id
                       order by id desc limit 100) newest
               where actor_kind <> 'service')) as last_used_ts
      from tenants n`;
  const found = new Map(states.map((row) => [row.id, row]));
  const sizes = await estimateSizes(db);
  return (await storedTenants(db)).flatMap((tenant) => {
    const row = found.get(tenant.id);
    if (row === undefined) return [];
    const { state, delete_after_ts, last_used_ts } = row;
    const size = sizes.get(tenant.id) ?? { records: 0, bytes: 0 };
    const dates = {
      delete_after_date: dateOf(delete_after_ts),
      last_used_date: dateOf(last_used_ts),
    };
    return [{ ...tenant, state, ...size, ...dates }];
  });
}

const dateOf = (epoch_s: number | null): string | null =>
  epoch_s === null ? null : isoSeconds(epoch_s);

interface Size {
  readonly records: number;
  readonly bytes: number;
}

async function estimateSizes(db: Db): Promise<ReadonlyMap<string, Size>> {
  const sizes = new Map<string, Size>();
  for (const { name, row_bytes } of await tables(db)) {
    for (const { tenant_id, rows } of await rowsByTenant(db, name)) {
      const { records, bytes } = sizes.get(tenant_id) ?? { records: 0, bytes: 0 };
      sizes.set(tenant_id, {
        records: records + (RECORD_TABLES.has(name) ? rows : 0),
        bytes: bytes + Math.round(rows * row_bytes),
      });
    }
  }
  return sizes;
}

/**
 * Returns the tables that contain tenants' rows. For each table, also returns the average space per row, including its
 * index entries.
 */
const tables = (db: Db) =>
  run<{ name: string; row_bytes: number }[]>(db)`
    select c.relname::text as name,
           (case when c.reltuples > 0 then pg_total_relation_size(c.oid) / c.reltuples else 500 end)::float8 as row_bytes
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'tenant_id' and not a.attisdropped and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relnamespace = (select relnamespace from pg_class where oid = 'tenants'::regclass)
       and c.relname <> 'first_tenant'
     order by 1`;

/**
 * Returns the approximate number of rows that each tenant has in a table. Up to a limit, rows are counted with an index
 * that starts with the tenant. Above the limit, the number comes from the column statistics.
 */
const rowsByTenant = (db: Db, table: string) =>
  run<{ tenant_id: string; rows: number }[]>(db)`
    with common as (
      select u.tenant_id, u.frequency * greatest(c.reltuples, 0) as rows
        from pg_stats s
        join pg_class c on c.relname = s.tablename and c.relnamespace = s.schemaname::regnamespace,
             unnest(s.most_common_vals::text::uuid[], s.most_common_freqs) as u(tenant_id, frequency)
       where s.schemaname = current_schema() and s.tablename = ${table} and s.attname = 'tenant_id'
    )
    select n.id as tenant_id,
           (case when counted.rows < ${COUNTED_MAX} then counted.rows
                 else greatest(counted.rows, common.rows) end)::float8 as rows
      from tenants n left join common on common.tenant_id = n.id,
           lateral (select count(*) as rows
                      from (select from ${raw(table)} t where t.tenant_id = n.id
                             limit ${COUNTED_MAX}) found) counted
     where counted.rows > 0`;
