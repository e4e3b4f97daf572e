/** Reads a tenant's rows that may mention a term. Reads them in batches, so that no statement takes long. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { columns, run } from "../../platform/database/index.ts";

/** The number of rows that a statement reads. */
const BATCH = 20_000;

export interface Scan {
  /** The name of a table in the registry. */
  readonly table: string;
  /** The primary key without the tenant id. Its columns have the type text or bigint. */
  readonly key: readonly string[];
  readonly selected: Sql;
  readonly where: Sql;
}

const rowOf = (values: readonly unknown[]): Sql => sql`(${join(values)})`;

/** Yields the matching rows in key order. */
export async function* scanRows<T extends object>(
  { db, tenantId }: Scope,
  { table, key, selected, where }: Scan,
): AsyncGenerator<T> {
  const keys = columns(key);
  const from = sql`${raw(table)} where tenant_id = ${tenantId}`;
  for (let after: readonly unknown[] | undefined; ;) {
    const behind: Sql = after === undefined ? sql`` : sql`and (${keys}) > ${rowOf(after)}`;
    const [last] = await run<Record<string, unknown>[]>(db)`
      select ${keys} from ${from} ${behind} order by ${keys} offset ${BATCH - 1} limit 1`;
    const end = last && key.map((name) => last[name]);
    const upTo = end === undefined ? sql`` : sql`and (${keys}) <= ${rowOf(end)}`;
    yield* await run<T[]>(db)`
      select ${selected} from ${from} ${behind} ${upTo} and ${where} order by ${keys}`;
    if (end === undefined) return;
    after = end;
  }
}
