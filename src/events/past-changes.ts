/** Changes that were sent before: one by its id, and those of a range of time, for a replay. */

import sql from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { firstIdAt } from "../platform/clock/index.ts";
import { ENTRY_COLUMNS, entryOf, NOT_RETURNED, type EntryRow, type FeedEntry } from "./feed.ts";
import { columns, run } from "../platform/database/index.ts";

/** The change of that id; undefined where the tenant has none. */
export async function findEntry(
  { db, tenantId }: Scope,
  id: string,
): Promise<FeedEntry | undefined> {
  const [row] = await run<[EntryRow?]>(db)`
    select ${columns(ENTRY_COLUMNS)} from changes where tenant_id = ${tenantId} and id = ${id}`;
  return row === undefined ? undefined : entryOf(row);
}

/** Changes of some types that were logged from one second to another, both with what is in them. */
export interface Range {
  readonly types: readonly string[];
  readonly start_ts: number;
  readonly end_ts: number;
}

/** An id is drawn before the statement that logs under it, which may have waited for a lock so long. */
const DRAWN_BEFORE_s = 3600;

/** An id that is below those of all changes that were logged from a second on. */
export const firstLoggedAt = (epoch_s: number): string => firstIdAt(epoch_s - DRAWN_BEFORE_s);

/** What a range begins after. */
export const beginningOf = ({ start_ts }: Range): string => firstLoggedAt(start_ts);

/** The condition of a range, by the primary key; that a number was shown is no change. */
const within = ({ types, start_ts, end_ts }: Range, after_id: string) =>
  sql`
  id > ${after_id} and id < ${firstIdAt(end_ts + 1)} and subject_type = any(${types}::text[])
  and at >= to_timestamp(${start_ts}::bigint) and at < to_timestamp(${end_ts + 1}::bigint)
  and action <> ${NOT_RETURNED}`;

/** How many changes a range has, at most `most`. */
export async function countChanges(
  { db, tenantId }: Scope,
  range: Range,
  most: number,
): Promise<number> {
  const [row] = await run<[{ readonly count: number }]>(db)`
    select count(*)::integer as count
      from (select from changes
             where tenant_id = ${tenantId} and ${within(range, beginningOf(range))}
             limit ${most}) found`;
  return row.count;
}

/** The next changes of a range after an id, in the order of their ids. */
export async function readRange(
  { db, tenantId }: Scope,
  range: Range,
  { after_id, limit }: { readonly after_id: string; readonly limit: number },
): Promise<readonly FeedEntry[]> {
  const rows = await run<EntryRow[]>(db)`
    select ${columns(ENTRY_COLUMNS)} from changes
     where tenant_id = ${tenantId} and ${within(range, after_id)}
     order by id limit ${limit}`;
  return rows.map(entryOf);
}
