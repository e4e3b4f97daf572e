/**
 * Measures a tenant's storage. All tables that contain the tenant's rows are read in one snapshot. Each statement reads
 * a limited number of rows.
 */

import type { TenantId } from "../audit/index.ts";
import { type Db, inserted, run, transaction, type Tx } from "../platform/database/index.ts";
import type { Usage } from "./usage.ts";

/** The space that PostgreSQL needs for each row in addition to its values. */
const ROW_HEADER_bytes = 24;
/** Maximum number of rows per statement. Reading this many rows takes a few seconds, even if they are not cached. */
const ROWS_AT_ONCE = 250_000;

interface MeasureOptions {
  readonly withBytes: boolean;
  /** The value of `due_ms` in the database when this measurement started. */
  readonly lease_ms?: number | null;
  readonly rowsAtOnce?: number;
}

/** Measures a tenant's storage in a single snapshot and stores the result. */
export async function measureTenant(
  db: Db,
  tenantId: TenantId,
  recordTables: ReadonlySet<string>,
  { withBytes, lease_ms = null, rowsAtOnce = ROWS_AT_ONCE }: MeasureOptions,
): Promise<Usage> {
  const start_ms = performance.now();
  const found = await transaction(
    db,
    async (tx) => {
      const [begin] = await run<[{ measured_ms: number }]>(tx)`
        select floor(extract(epoch from now()) * 1000)::float8 as measured_ms`;
      let records = 0;
      let bytes = 0;
      for (const table of await tenantTables(tx)) {
        const hasRecords = recordTables.has(table.name);
        if (!withBytes && !hasRecords) continue;
        const sum = withBytes ? `coalesce(sum(${table.size}), 0)` : "0";
        const found = await addUp(tx, tenantId, { ...table, sum }, rowsAtOnce);
        if (hasRecords) records += found.rows;
        bytes += found.bytes;
      }
      return { ...begin, records, bytes: withBytes ? bytes : null };
    },
    "isolation level repeatable read read only",
  );
  const usage = { ...found, duration_ms: Math.ceil(performance.now() - start_ms) };
  await run(db)`
    insert into tenant_usage ${inserted({ tenant_id: tenantId, ...usage })}
        on conflict (tenant_id) do update
       set records = excluded.records, bytes = excluded.bytes, measured_ms = excluded.measured_ms,
           duration_ms = excluded.duration_ms,
           -- Writes in the meantime request the next measurement.
           due_ms = nullif(tenant_usage.due_ms, ${lease_ms}::bigint)`;
  return usage;
}

interface TenantTable {
  readonly name: string;
  /** SQL expression for the size of a row. */
  readonly size: string;
  /** The columns of the primary key after `tenant_id`, with their types. Empty for small tables. */
  readonly keys: readonly { readonly name: string; readonly type: string }[];
}

/** Counts a tenant's rows in a table and adds up their sizes. Reads the rows in primary key order. */
async function addUp(
  tx: Tx,
  tenantId: TenantId,
  { name, keys, sum }: TenantTable & { readonly sum: string },
  rowsAtOnce: number,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const columns = keys.map((key) => key.name).join(", ");
  /** Returns SQL such as `and (id) > ($2::text::text)`, with parameters numbered from `from`. */
  const compare = (sign: string, values: readonly string[], from: number): string => {
    if (values.length === 0) return "";
    const shown = keys.map(({ type }, at) => `$${from + at}::text::${type}`).join(", ");
    return `and (${columns}) ${sign} (${shown})`;
  };
  const query = <T extends readonly object[]>(text: string, values: readonly string[]) =>
    run<T>(tx, { text, values: [tenantId, ...values] }, { prepare: false });
  const total = { rows: 0, bytes: 0 };
  for (let after: readonly string[] = []; ;) {
    const rest = `from ${name} where tenant_id = $1 ${compare(">", after, 2)}`;
    const [end] =
      keys.length === 0
        ? []
        : await query<{ key: readonly string[] }[]>(
            `select array[${keys.map((key) => `${key.name}::text`).join(", ")}] as key
               ${rest} order by ${columns} offset ${rowsAtOnce - 1} limit 1`,
            after,
          );
    const until = end?.key ?? [];
    const part = `${rest} ${compare("<=", until, 2 + after.length)}`;
    const [row] = await query<[typeof total]>(
      `select count(*)::float8 as rows, (${sum})::float8 as bytes ${part}`,
      [...after, ...until],
    );
    total.rows += row.rows;
    total.bytes += row.bytes;
    if (until.length === 0) return total;
    after = until;
  }
}

interface TableRow extends Pick<TenantTable, "name"> {
  readonly fixed_bytes: number | null;
  readonly columns: readonly string[] | null;
  readonly keys: TenantTable["keys"] | null;
}

/**
 * Returns the tables with tenant rows. Columns are measured by their size on disk, so values that are stored out of
 * line need not be read.
 */
async function tenantTables(tx: Tx): Promise<readonly TenantTable[]> {
  const rows = await run<TableRow[]>(tx)`
    select quote_ident(c.relname) as name,
           sum(a.attlen) filter (where a.attlen > 0)::int as fixed_bytes,
           array_agg(quote_ident(a.attname)) filter (where a.attlen < 0) as columns,
           (select json_agg(json_build_object('name', quote_ident(k.attname),
                                              'type', format_type(k.atttypid, null)) order by i.place)
              from pg_index p, unnest(p.indkey) with ordinality as i(attnum, place), pg_attribute k
             where p.indrelid = c.oid and p.indisprimary
               and k.attrelid = c.oid and k.attnum = i.attnum) as keys
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = (select relnamespace from pg_class where oid = 'tenants'::regclass)
     group by c.oid, c.relname having bool_or(a.attname = 'tenant_id')
     order by c.relname`;
  return rows.map(({ name, fixed_bytes, columns, keys }) => {
    const [first, ...others] = keys ?? [];
    const sizes = (columns ?? []).map((column) => `coalesce(pg_column_size(${column}), 0)`);
    return {
      name,
      size: [ROW_HEADER_bytes + (fixed_bytes ?? 0), ...sizes].join(" + "),
      keys: first?.name === "tenant_id" ? others : [],
    };
  });
}
