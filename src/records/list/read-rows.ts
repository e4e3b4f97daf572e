/**
 * Runs a list's statements. Chooses the pool and the kind of plan, and limits the bytes that the rows of a statement
 * occupy in memory.
 */

import type { Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import { type Database, type Db, runRaw } from "../../platform/database/index.ts";
import type { RawRow } from "../../platform/pool/index.ts";
import { asTooSlow } from "./too-slow.ts";
import { KEPT_BYTES } from "./batch-size.ts";
import {
  constantOf,
  isRecurring,
  isShared,
  knownOf,
  type Statement,
  type Statements,
} from "./reused-plans.ts";
import { countSql, foundSql, pageSql, recordsSql } from "./list-sql.ts";
import type { ListPlan } from "./plan.ts";
import type { KeyValue } from "./sort.ts";

/** The tenant whose records are read, and the database connections. */
export interface ListReader {
  readonly tenantId: TenantId;
  readonly db: Pick<Database, "reads" | "lists">;
}

type Keys = readonly KeyValue[];

/** The rows of a statement. */
export interface Rows {
  /** The rows that were kept: at least one, unless there are none. */
  readonly kept: readonly RawRow[];
  /** The sort keys of the rows after them, whose bodies were dropped. */
  readonly dropped: readonly Keys[];
  /** The size of all bodies, including the dropped ones. */
  readonly bytes: number;
}

async function rowsOf(db: Db, query: Statement, prepare = isShared(query)): Promise<Rows> {
  const kept: RawRow[] = [];
  const dropped: Keys[] = [];
  let bytes = 0;
  const onRow = (row: RawRow): void => {
    const length = row.lengthOf(0);
    bytes += Math.max(0, length);
    if (bytes <= KEPT_BYTES || kept.length === 0 || length < 0) kept.push(row);
    else dropped.push(keysOf(row));
  };
  try {
    await runRaw(db, query, { prepare, onRow });
  } catch (error) {
    throw asTooSlow(error);
  }
  return { kept, dropped, bytes };
}

/** Returns a row's sort keys. Copies them, because the row's buffers keep the whole body in memory. */
const keysOf = (row: RawRow): Keys =>
  row.columnsFrom(1).map((key) => key?.toString("utf8") ?? null);

/** Returns the sort keys of a row by its position. */
export function keysAt({ kept, dropped }: Rows, at: number): Keys | undefined {
  const row = kept[at];
  return row === undefined ? dropped[at - kept.length] : keysOf(row);
}

function statementsOf(
  tenantId: TenantId,
  plan: ListPlan,
  limit: number,
  place = plan.place,
): Statements {
  const { lookup } = plan;
  let walked: Statement | undefined;
  return {
    found: lookup && textOf(foundSql(tenantId, { ...plan, lookup }, limit, place)),
    walked: () => (walked ??= textOf(pageSql(tenantId, plan, limit, place))),
  };
}

/** Copies `text`, because the property of an Sql is a getter that joins the parts each time. */
const textOf = ({ text, values }: Sql): Statement => ({ text, values });

/**
 * Runs a lookup by key in the pool that reuses plans, because for one or two records, planning takes longer than
 * reading. If the filter has other conditions that may take long, uses the pool with the time limit for lists. If the
 * lookup finds too many records, or if there is no lookup, scans the list with a plan for these specific values.
 */
async function rowsBy(
  { db }: ListReader,
  { isPlain }: ListPlan,
  { found, walked }: Statements,
): Promise<Rows> {
  const rows = found && (await rowsOf(isPlain ? db.reads : db.lists, found));
  return rows === undefined || rows.kept.at(-1)?.lengthOf(0) === -1
    ? rowsOf(db.lists, walked())
    : rows;
}

/** Returns the first `limit` rows after a position. */
export const rowsAfter = (
  reader: ListReader,
  plan: ListPlan,
  limit: number,
  place?: Keys,
): Promise<Rows> => rowsBy(reader, plan, statementsOf(reader.tenantId, plan, limit, place));

/**
 * Returns a page's rows. A list that is a single index range uses the same pool as lookups by key, because PostgreSQL
 * reads no more records than it returns.
 */
export async function pageRows(reader: ListReader, plan: ListPlan, limit: number): Promise<Rows> {
  const { db, tenantId } = reader;
  const known = knownOf(tenantId, plan.first ?? plan);
  const constant = constantOf(known, plan, limit);
  if (constant !== undefined && isRecurring(constant)) {
    return rowsOf(plan.isOneRange ? db.reads : db.lists, constant, true);
  }
  const make = () => statementsOf(tenantId, plan, limit);
  return rowsBy(reader, plan, plan.place === undefined ? (known.statements ??= make()) : make());
}

/** Returns the rows of the records with these ids that are still in the list, in the order of the ids. */
export const rowsWithIds = (
  { db, tenantId }: ListReader,
  plan: ListPlan,
  ids: readonly string[],
): Promise<Rows> => rowsOf(db.lists, textOf(recordsSql(tenantId, plan, ids)));

/** Returns the total number of records in the list. */
export async function countRecords({ db, tenantId }: ListReader, plan: ListPlan): Promise<number> {
  const { kept } = await rowsOf(db.lists, countSql(tenantId, plan));
  return Number(String(kept[0]?.column(0)));
}
