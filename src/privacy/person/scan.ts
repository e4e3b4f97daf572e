/** Reads the rows of a tenant whose text may mention a term, in batches, so that no statement takes long. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { columns, run } from "../../platform/database/index.ts";

/** Rows that one statement reads. */
const BATCH = 20_000;

export interface Scan {
  /** A table of the registry. */
  readonly table: string;
  /** The primary key after the tenant: columns of type text, or bigint. */
  readonly key: readonly string[];
  readonly selected: Sql;
  readonly where: Sql;
}

const rowOf = (values: readonly unknown[]): Sql => sql`(${join(values)})`;

/** The rows in the order of their keys. */
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
