/**
 * Determines the contents of a tenant file, which are all tables with a `tenant_id`. The tables are read from the
 * database catalog, so that new tables are included automatically.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { isTenantId } from "../tenants/index.ts";
import { listTables, type Table } from "../backup/contents/index.ts";
import { columns, type Connection } from "../platform/database/index.ts";

/** The table that contains the tenants. A tenant file contains one of its rows. */
export const TENANTS = "tenants";

/** Returns the column with the tenant's id. Files omit it, because every row gets the id of the imported tenant. */
export const idColumnOf = (table: string): string => (table === TENANTS ? "id" : "tenant_id");

/**
 * Returns the tables in a tenant file with their columns. Each table follows the tables that it refers to. The file
 * contains all tables with a `tenant_id` except the excluded ones.
 */
export async function tenantTables(
  db: Connection,
  excluded: readonly string[],
): Promise<readonly Table[]> {
  const tables = await listTables(db);
  return tables
    .filter(({ name, columns }) => columns.includes(idColumnOf(name)) && !excluded.includes(name))
    .map(({ name, columns }) => ({
      name,
      columns: columns.filter((column) => column !== idColumnOf(name)),
    }));
}

/** Returns a tenant's id as an SQL constant, because COPY takes no parameters. */
export function idConstant(tenantId: string): Sql {
  if (!isTenantId(tenantId)) throw new Error("Not the id of a tenant");
  return raw(`'${tenantId}'::uuid`);
}

/** Returns a COPY statement that reads a tenant's rows. `rest` is appended to the condition. */
export const copyOut = (
  { name, columns: names }: Table,
  tenantId: string,
  {
    selected = columns(names),
    rest = sql``,
  }: { readonly selected?: Sql; readonly rest?: Sql } = {},
): string =>
  sql`
  copy (select ${selected} from ${columns([name])}
         where ${raw(idColumnOf(name))} = ${idConstant(tenantId)} ${rest}) to stdout`.text;
