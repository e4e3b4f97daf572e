/**
 * Removes a tenant with all its data, in small batches while the installation is in use. If the removal is interrupted,
 * the next call continues it. The tables are read from the database catalog, so that new tables are included
 * automatically.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../audit/index.ts";
import { deleteJobs } from "../delivery/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";

/** The number of rows per transaction. Removing them takes a fraction of a second. */
const BATCH = 5000;

/** Tables with credentials. They are emptied first, so that no new requests for the tenant are accepted. */
const CREDENTIALS: readonly string[] = ["access_tokens", "sessions", "sign_in_links"];

/**
 * The table of revocations that the worker has not written to the erasure log yet, including the revocation for the
 * tenant's own deletion. Its rows must remain until then. A demo tenant's revocations need not be kept.
 */
const REVOCATIONS = "unlogged_revocations";

/** Removes data about a tenant from tables that have no `tenant_id` column. */
export type RemoveElsewhere = (tx: Tx, tenantId: TenantId) => Promise<unknown>;

const ELSEWHERE: readonly RemoveElsewhere[] = [deleteJobs];

/** The result of a batch: how many rows were removed, and whether the tenant no longer exists. */
interface Removed {
  readonly rows: number;
  readonly isDone: boolean;
}

/**
 * Removes a demo tenant. Returns the number of removed rows. Throws 404 if the tenant does not exist, and 409 if it is
 * not a demo tenant.
 */
export async function removeDemoTenant(
  db: Db,
  tenantId: TenantId,
  elsewhere?: readonly RemoveElsewhere[],
): Promise<number> {
  const removed = await removeTenant(db, tenantId, sql`is_demo`, elsewhere);
  if (removed !== undefined) return removed;
  const [tenant] = await run<{ name: string }[]>(db)`
    select name from tenants where id = ${tenantId}`;
  if (tenant === undefined) throw new AppError("not_found");
  const detail = `Only demo tenants can be removed, and "${tenant.name}" is not a demo tenant`;
  throw new AppError("conflict", { detail });
}

/**
 * Removes everything that an incomplete import has created. Returns the number of removed rows, or undefined if there
 * is no such import.
 */
export const removeIncompleteImport = (db: Db, tenantId: TenantId): Promise<number | undefined> =>
  removeTenant(db, tenantId, sql`import_started_ts is not null and imported_ts is null`);

/**
 * Removes a tenant whose grace period has ended. Returns the number of removed rows, or undefined if there is no such
 * tenant.
 */
export const removeDeleted = (db: Db, tenantId: TenantId, clock: Clock) =>
  removeTenant(db, tenantId, isDue(clock));

const isDue = (clock: Clock): Sql => sql`delete_after_ts <= ${epochSeconds(clock)}::bigint`;

/** Removes a batch of rows from a tenant whose grace period has ended. Returns false if there is no such tenant. */
export async function removeSomeDeleted(db: Db, clock: Clock): Promise<boolean> {
  const [due] = await run<{ id: TenantId }[]>(db)`
    select id from tenants where ${isDue(clock)} order by delete_after_ts limit 1`;
  if (due === undefined) return false;
  await startDeletion(db, due.id, clock);
  await removeBatch(db, due.id, isDue(clock), ELSEWHERE);
  return true;
}

/** Marks the deletion as started. From then on, it cannot be undone. */
const startDeletion = (db: Db, tenantId: TenantId, clock: Clock) =>
  run(db)`
    update tenants set deletion_started_ts = ${epochSeconds(clock)}
     where id = ${tenantId} and deletion_started_ts is null and ${isDue(clock)}`;

/**
 * Removes a tenant if the condition is met. Returns the number of removed rows, or undefined if there is no such
 * tenant.
 */
async function removeTenant(
  db: Db,
  tenantId: TenantId,
  condition: Sql,
  elsewhere: readonly RemoveElsewhere[] = ELSEWHERE,
): Promise<number | undefined> {
  for (let rows = 0; ;) {
    const removed = await removeBatch(db, tenantId, condition, elsewhere);
    if (removed === undefined) return rows === 0 ? undefined : rows;
    rows += removed.rows;
    if (removed.isDone) return rows;
  }
}

/**
 * Removes the next batch of a tenant's rows. If there are no rows left, removes the tenant itself. Returns undefined if
 * the condition is not met.
 */
const removeBatch = (
  db: Db,
  tenantId: TenantId,
  condition: Sql,
  elsewhere: readonly RemoveElsewhere[],
): Promise<Removed | undefined> =>
  transaction(db, async (tx) => {
    // While this row is locked, no new rows that refer to the tenant can be added, and no other process can remove its
    // rows.
    const [locked] = await run<{ isDemo: boolean }[]>(tx)`
      select is_demo as "isDemo" from tenants where id = ${tenantId} and ${condition} for update`;
    if (locked === undefined) return undefined;
    for (const table of await tablesToEmpty(tx)) {
      if (table === REVOCATIONS && !locked.isDemo) continue;
      const { count } = await run(tx)`
        delete from ${raw(table)}
         where ctid = any(array(
                 select ctid from ${raw(table)} where tenant_id = ${tenantId} limit ${BATCH}))`;
      if (count > 0) return { rows: count, isDone: false };
    }
    for (const remove of elsewhere) await remove(tx, tenantId);
    await run(tx)`delete from tenants where id = ${tenantId}`;
    return { rows: 0, isDone: true };
  });

interface TenantTable {
  readonly name: string;
  /** The tables that this table refers to. */
  readonly parents: readonly string[];
}

/** Returns all tables with a tenant_id, quoted for SQL. Each table precedes the tables that it refers to. */
async function tablesToEmpty(tx: Tx): Promise<readonly string[]> {
  const tables = await run<TenantTable[]>(tx)`
    select c.oid::regclass::text as name,
           array(select k.confrelid::regclass::text from pg_constraint k
                  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'tenant_id' and not a.attisdropped
       and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`;
  const ordered: string[] = [...CREDENTIALS];
  let remaining: readonly TenantTable[] = tables;
  while (remaining.length > 0) {
    const parents = new Set(remaining.flatMap((table) => table.parents));
    const free = remaining.filter(({ name }) => !parents.has(name));
    if (free.length === 0) throw new Error("Tables refer to each other in a cycle");
    ordered.push(...free.map(({ name }) => name));
    remaining = remaining.filter(({ name }) => parents.has(name));
  }
  return [...new Set(ordered)];
}
