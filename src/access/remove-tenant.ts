/**
 * Removes a tenant with all its data. Only demo tenants can be removed. The tables come from the database catalog, so
 * that new tables are included.
 */

import { raw } from "sql-template-tag";
import type { TenantId } from "../audit/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";

/** Rows per statement, because a tenant may have millions. */
const BATCH = 10_000;

/** Tables with credentials. They are removed first, so that no more requests arrive. */
const CREDENTIALS: readonly string[] = ["access_tokens", "sessions", "sign_in_links"];

/** Removes data about a tenant that is stored outside of the tables with a tenant_id. */
export type RemoveElsewhere = (tx: Tx, tenantId: TenantId) => Promise<unknown>;

/**
 * Removes a demo tenant: first its credentials, then its rows in batches, and in the last transaction everything that was
 * written in the meantime. Returns the number of rows. If it is interrupted, call it again. Throws 404 if the tenant does
 * not exist, and 409 if it is not a demo tenant.
 */
export async function removeDemoTenant(
  db: Db,
  tenantId: TenantId,
  elsewhere: readonly RemoveElsewhere[] = [],
): Promise<number> {
  const tables = await tenantTables(db);
  let rows = 0;
  await transaction(db, async (tx) => {
    await lockDemoTenant(tx, tenantId);
    for (const table of CREDENTIALS) rows += await removeRows(tx, table, tenantId);
  });
  for (const table of tables) rows += await removeRows(db, table, tenantId);
  await transaction(db, async (tx) => {
    // From here on, no new row can refer to the tenant.
    await lockDemoTenant(tx, tenantId);
    for (const table of tables) rows += await removeRows(tx, table, tenantId);
    for (const remove of elsewhere) await remove(tx, tenantId);
    await run(tx)`delete from tenants where id = ${tenantId}`;
  });
  return rows;
}

/** Locks the row of a demo tenant. Throws if it is not a demo tenant. */
async function lockDemoTenant(tx: Tx, tenantId: TenantId): Promise<void> {
  const [tenant] = await run<{ is_demo: boolean; name: string }[]>(tx)`
    select is_demo, name from tenants where id = ${tenantId} for update`;
  if (tenant === undefined) throw new AppError("not_found");
  if (tenant.is_demo) return;
  const detail = `Only demo tenants can be removed, and "${tenant.name}" is not a demo tenant`;
  throw new AppError("conflict", { detail });
}

/** Removes a tenant's rows from a table. Returns their number. */
async function removeRows(db: Db | Tx, table: string, tenantId: TenantId): Promise<number> {
  for (let rows = 0; ;) {
    const { count } = await run(db)`
      delete from ${raw(table)}
       where ctid = any(array(
               select ctid from ${raw(table)} where tenant_id = ${tenantId} limit ${BATCH}))`;
    rows += count;
    if (count < BATCH) return rows;
  }
}

interface TenantTable {
  readonly name: string;
  /** The tables that this table refers to. */
  readonly parents: readonly string[];
}

/** All tables with a tenant_id, each before the tables that it refers to. Names are quoted for SQL. */
async function tenantTables(db: Db): Promise<readonly string[]> {
  const tables = await run<TenantTable[]>(db)`
    select c.oid::regclass::text as name,
           array(select k.confrelid::regclass::text from pg_constraint k
                  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'tenant_id' and not a.attisdropped
       and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`;
  const ordered: string[] = [];
  let remaining: readonly TenantTable[] = tables;
  while (remaining.length > 0) {
    const parents = new Set(remaining.flatMap((table) => table.parents));
    const free = remaining.filter(({ name }) => !parents.has(name));
    if (free.length === 0) throw new Error("Tables refer to each other in a cycle");
    ordered.push(...free.map(({ name }) => name));
    remaining = remaining.filter(({ name }) => parents.has(name));
  }
  return ordered;
}
