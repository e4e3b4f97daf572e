/**
 * Lists the service's tables. They are read from the database catalog, so that new tables are included automatically.
 */

import { type Connection, run } from "../../platform/database/index.ts";

export interface Table {
  readonly name: string;
  /** All columns except generated ones. */
  readonly columns: readonly string[];
}

interface CatalogRow extends Table {
  /** The tables that this table refers to. */
  readonly parents: readonly string[];
}

/**
 * Returns the tables to include in a logical backup. Each table comes after the tables that it refers to. The queue
 * (schema pgboss) is not included, because it is recreated from `deliveries`. Unlogged tables are not included, because
 * they only contain counts from the last few minutes.
 */
export async function listTables(db: Connection): Promise<readonly Table[]> {
  const rows = await run<CatalogRow[]>(db)`
    select c.relname as name,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns,
           array(select p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
      from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname <> 'schema_migrations'
     order by 1`;
  const ordered: CatalogRow[] = [];
  for (let left: readonly CatalogRow[] = rows; left.length > 0;) {
    const isLeft = (name: string): boolean => left.some((row) => row.name === name);
    const free = left.filter(({ parents }) => !parents.some(isLeft));
    if (free.length === 0) throw new Error("Tables refer to each other in a cycle");
    ordered.push(...free);
    left = left.filter((row) => !free.includes(row));
  }
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

/** Returns the last value that each of the service's sequences has issued. Null if it has not issued any value. */
export const listSequences = (db: Connection) =>
  run<{ sequence: string; last_value: string | null }[]>(db)`
    select sequencename::text as sequence, last_value::text as last_value
      from pg_sequences where schemaname = current_schema() order by 1`;
