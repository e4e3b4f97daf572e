/**
 * How much tenants store: measured in the background where a quota applies (docs/quotas.md). Nothing is
 * counted while records are written.
 */

import type { TenantId } from "../audit/index.ts";
import { inOrder, run, transaction, type Db, type Tx } from "../platform/db.ts";

/** The limits of a tenant; undefined where there is none. */
export interface Limits {
  readonly records: number | undefined;
  readonly bytes: number | undefined;
}

/** What a tenant stored at one moment. */
export interface Usage {
  readonly records: number;
  /** Null if only the number of records has a limit. */
  readonly bytes: number | null;
  /** Epoch milliseconds, by the database's clock. */
  readonly measured_ms: number;
  readonly duration_ms: number;
}

/** A tenant's limits and what it stored, as they are now. */
export interface QuotaReading {
  readonly limits: Limits;
  /** Undefined until it is measured for the first time. */
  readonly usage: (Usage & { readonly age_ms: number }) | undefined;
}

/** A tenant's own limits: null is the installation's, 0 is none. */
export interface OwnLimits {
  readonly max_records: number | null;
  readonly max_bytes: number | null;
}

/** The limits of tenants that have none of their own; 0 is none. */
export interface DefaultLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/** Measured once a minute, or sooner where something was refused, and at most 1 % of the time. */
const EVERY_ms = 60_000;
const SOONER_ms = 10_000;
const PAUSE_FACTOR = 100;
/** For so long others leave a tenant to the worker that measures it. */
const LEASE_ms = 30 * 60_000;
/** What PostgreSQL stores for a row beside its columns. */
const ROW_HEADER_bytes = 24;

/** The limits that apply to a tenant. */
export const limitsOf = (own: OwnLimits, defaults: DefaultLimits): Limits => ({
  records: (own.max_records ?? defaults.maxRecords) || undefined,
  bytes: (own.max_bytes ?? defaults.maxBytes) || undefined,
});

export const hasLimit = ({ records, bytes }: Limits): boolean =>
  records !== undefined || bytes !== undefined;

/** When a tenant is to be measured again (epoch ms). */
export const nextDue = ({ measured_ms, duration_ms }: Usage, isRefused: boolean): number =>
  measured_ms + Math.max(isRefused ? SOONER_ms : EVERY_ms, PAUSE_FACTOR * duration_ms);

/** Reads a tenant's limits and usage: one look-up by key. */
export async function readQuota(
  db: Db | Tx,
  tenantId: TenantId,
  defaults: DefaultLimits,
): Promise<QuotaReading> {
  const [row] = await db`
    select n.max_records, n.max_bytes, u.records, u.bytes, u.measured_ms, u.duration_ms,
           greatest(0, extract(epoch from clock_timestamp()) * 1000 - u.measured_ms)::float8 as age_ms
      from tenants n left join tenant_usage u on u.tenant_id = n.id
     where n.id = ${tenantId}`;
  const { max_records = null, max_bytes = null, ...usage } = row ?? {};
  return {
    limits: limitsOf({ max_records, max_bytes }, defaults),
    usage: row === undefined || row["records"] === null ? undefined : (usage as never),
  };
}

/** Asks the worker to measure a tenant from a moment on (epoch ms). */
export async function markDue(sql: Db, tenantId: TenantId, due_ms: number): Promise<void> {
  await sql`
    update tenant_usage set due_ms = ${due_ms}::bigint
     where tenant_id = ${tenantId} and (due_ms is null or due_ms > ${due_ms}::bigint)`;
}

interface MeasureOptions {
  readonly withBytes: boolean;
  /** What `due_ms` was set to when this measurement began. */
  readonly lease_ms?: number | null;
}

/** Measures a tenant and stores what it found. All tables are read as of the same moment. */
export async function measureTenant(
  sql: Db,
  tenantId: TenantId,
  recordTables: ReadonlySet<string>,
  { withBytes, lease_ms = null }: MeasureOptions,
): Promise<Usage> {
  const began_ms = performance.now();
  const found = await transaction(
    sql,
    async (tx) => {
      const [begin] = await tx`
        select floor(extract(epoch from now()) * 1000)::bigint as measured_ms`;
      const tables = (await tenantTables(tx)).filter(
        ({ name }) => withBytes || recordTables.has(name),
      );
      const sizes = await inOrder(
        ...tables.map(async ({ name, size }) => {
          const bytes = withBytes ? `coalesce(sum(${size}), 0)` : "0";
          const text = `select count(*) as n, (${bytes})::bigint as bytes from "${name}" where tenant_id = $1`;
          const [row] = await run(tx, { text, values: [tenantId] }, { prepare: false });
          return {
            records: recordTables.has(name) ? Number(row?.["n"]) : 0,
            bytes: Number(row?.["bytes"]),
          };
        }),
      );
      return {
        measured_ms: Number(begin?.["measured_ms"]),
        records: sizes.reduce((sum, { records }) => sum + records, 0),
        bytes: withBytes ? sizes.reduce((sum, { bytes }) => sum + bytes, 0) : null,
      };
    },
    "isolation level repeatable read read only",
  );
  const usage = { ...found, duration_ms: Math.ceil(performance.now() - began_ms) };
  await sql`
    insert into tenant_usage ${sql({ tenant_id: tenantId, ...usage })}
        on conflict (tenant_id) do update
       set records = excluded.records, bytes = excluded.bytes, measured_ms = excluded.measured_ms,
           duration_ms = excluded.duration_ms,
           -- What was written meanwhile asks for the next measurement.
           due_ms = nullif(tenant_usage.due_ms, ${lease_ms}::bigint)`;
  return usage;
}

/**
 * The tables whose rows belong to tenants, with the expression for a row's size. The sizes of single
 * columns are those on disk: nothing that is stored out of line is read.
 */
async function tenantTables(
  tx: Tx,
): Promise<readonly { readonly name: string; readonly size: string }[]> {
  const rows = await tx`
    select c.relname as name,
           sum(a.attlen) filter (where a.attlen > 0)::int as fixed_bytes,
           array_agg(quote_ident(a.attname)) filter (where a.attlen < 0) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = (select relnamespace from pg_class where oid = 'tenants'::regclass)
     group by c.oid, c.relname having bool_or(a.attname = 'tenant_id')
     order by c.relname`;
  return rows.map(({ name, fixed_bytes, columns }) => ({
    name: name as string,
    size: [
      ROW_HEADER_bytes + Number(fixed_bytes),
      ...((columns ?? []) as string[]).map((column) => `coalesce(pg_column_size(${column}), 0)`),
    ].join(" + "),
  }));
}

/** Tenants that have never been measured are looked for less often. */
const LOOK_EVERY_ms = 10_000;

/** Measures tenants with a quota, one at a time, when they are due. The result is whether there was any. */
export function createMeasuring(
  sql: Db,
  recordTables: ReadonlySet<string>,
  defaults: DefaultLimits,
): () => Promise<boolean> {
  let looked_ms = -Infinity;
  const findUnmeasured = async (): Promise<TenantId | undefined> => {
    if (performance.now() - looked_ms < LOOK_EVERY_ms) return undefined;
    const hasDefault = defaults.maxRecords > 0 || defaults.maxBytes > 0;
    const [row] = await sql`
      select id from tenants n
       where ${
         hasDefault
           ? sql`(coalesce(max_records, ${defaults.maxRecords}::bigint) > 0
                  or coalesce(max_bytes, ${defaults.maxBytes}::bigint) > 0)`
           : sql`(max_records > 0 or max_bytes > 0)`
       }
         and not exists (select from tenant_usage u where u.tenant_id = n.id)
       limit 1`;
    if (row === undefined) looked_ms = performance.now();
    return row?.["id"] as TenantId | undefined;
  };
  return async () => {
    const claimed = await claimDue(sql);
    const tenantId = claimed?.tenantId ?? (await findUnmeasured());
    if (tenantId === undefined) return false;
    const { limits } = await readQuota(sql, tenantId, defaults);
    const withBytes = limits.bytes !== undefined;
    const lease_ms = claimed?.lease_ms ?? null;
    await measureTenant(sql, tenantId, recordTables, { withBytes, lease_ms });
    return true;
  };
}

/** The tenant that has been due for longest, which other workers leave alone for a while. */
async function claimDue(
  sql: Db,
): Promise<{ readonly tenantId: TenantId; readonly lease_ms: number } | undefined> {
  const [due] = await sql`
    select tenant_id, due_ms, (floor(extract(epoch from now()) * 1000) + ${LEASE_ms})::bigint as lease_ms
      from tenant_usage
     where due_ms <= extract(epoch from now()) * 1000
     order by due_ms limit 1`;
  if (due === undefined) return undefined;
  const tenantId = due["tenant_id"] as TenantId;
  const lease_ms = due["lease_ms"] as number;
  const claimed = await sql`
    update tenant_usage set due_ms = ${lease_ms}::bigint
     where tenant_id = ${tenantId} and due_ms = ${due["due_ms"] as number}::bigint`;
  return claimed.count === 1 ? { tenantId, lease_ms } : undefined;
}
