/** Finds past changes: a single change by its id, or all changes in a time range for a replay. */

import sql, { type Sql } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { firstIdAt } from "../platform/ids/index.ts";
import {
  cutToSize,
  ENTRY_COLUMNS,
  entryOf,
  isLastPage,
  NOT_RETURNED,
  type EntryRow,
  type FeedEntry,
  type PageRow,
} from "./feed.ts";
import { columns, run } from "../platform/database/index.ts";

/** Returns the change with this id; undefined if the tenant has none. */
export async function findEntry(
  { db, tenantId }: Scope,
  id: string,
): Promise<FeedEntry | undefined> {
  const [row] = await run<[EntryRow?]>(db)`
    select ${columns(ENTRY_COLUMNS)} from changes where tenant_id = ${tenantId} and id = ${id}`;
  return row === undefined ? undefined : entryOf(row);
}

/**
 * A range of changes: their types, and the first and last second in which they were logged. `records` is a query for the
 * ids of the records that the changes are about; null for all records.
 */
export interface Range {
  readonly types: readonly string[];
  readonly start_ts: number;
  readonly end_ts: number;
  readonly records: Sql | null;
}

/**
 * Maximum time between generating a change's id and logging the change. The time can be long, because the statement may
 * wait for a lock.
 */
const ID_AGE_MAX_s = 3600;

/** Returns an id that sorts before the ids of all changes logged in this second or later. */
export const firstLoggedAt = (epoch_s: number): string => firstIdAt(epoch_s - ID_AGE_MAX_s);

/** Returns the id after which the changes in a range start. */
export const firstIdBefore = ({ start_ts }: Range): string => firstLoggedAt(start_ts);

/** Selects a range of changes by the primary key. Excludes changes that only record that a secret was shown. */
const within = ({ types, start_ts, end_ts, records }: Range, after_id: string) =>
  sql`
  id > ${after_id} and id < ${firstIdAt(end_ts + 1)} and subject_type = any(${types}::text[])
  and at >= to_timestamp(${start_ts}::bigint) and at < to_timestamp(${end_ts + 1}::bigint)
  and action <> ${NOT_RETURNED} ${records === null ? sql`` : sql`and subject_id in (${records})`}`;

/** Counts the changes in a range, up to `most`. */
export async function countChanges(
  { db, tenantId }: Scope,
  range: Range,
  most: number,
): Promise<number> {
  const [row] = await run<[{ readonly count: number }]>(db)`
    select count(*)::integer as count
      from (select from changes
             where tenant_id = ${tenantId} and ${within(range, firstIdBefore(range))}
             limit ${most}) found`;
  return row.count;
}

/**
 * Returns the next changes in a range after a given id, ordered by id: up to `limit`, or fewer if they are large. `isEnd`
 * is true if the range contains no further changes.
 */
export async function readRange(
  { db, tenantId }: Scope,
  range: Range,
  { after_id, limit }: { readonly after_id: string; readonly limit: number },
): Promise<{ readonly entries: readonly FeedEntry[]; readonly isEnd: boolean }> {
  const next = sql`
    select ${columns(ENTRY_COLUMNS)} from changes
     where tenant_id = ${tenantId} and ${within(range, after_id)}
     order by id limit ${limit}`;
  const rows = await run<PageRow[]>(db)`${cutToSize(next, "id")} order by id`;
  return { entries: rows.map(entryOf), isEnd: isLastPage(rows, limit) };
}
