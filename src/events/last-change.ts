/**
 * Finds a tenant's newest change up to a position. Cursors contain a digest of this change. If the database has a
 * different change at that position, the cursor comes from another history, for example from before a restore.
 */

import { createHash } from "node:crypto";
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../audit/index.ts";
import { run } from "../platform/database/index.ts";
import {
  ENTRY_COLUMNS,
  FEED_TYPES,
  pageOf,
  pageQuery,
  type EntryRow,
  type FeedEntry,
  type FeedPage,
  type FeedQuery,
  type PageRow,
} from "./feed.ts";

export interface LastChange {
  /** When the change was logged, in whole epoch seconds. */
  readonly at_s: number;
  readonly digest: Buffer;
}

export const DIGEST_BYTES = 8;
/** The value to use if the tenant has no change up to the position. */
export const NO_CHANGE: LastChange = { at_s: 0, digest: Buffer.alloc(DIGEST_BYTES) };

/**
 * The members of an entry that never change. The digest includes only these members, because other values may be erased
 * later.
 */
type Immutable = Pick<FeedEntry, "seq" | "record_id" | "version" | "at">;

export const lastChangeOf = ({ seq, record_id, version, at }: Immutable): LastChange => ({
  at_s: Math.floor(Date.parse(at) / 1000),
  digest: createHash("sha256")
    .update(`${seq} ${record_id} ${version} ${at}`)
    .digest()
    .subarray(0, DIGEST_BYTES),
});

/**
 * Whether a cursor belongs to the current history. `issued` is the last change when the cursor was issued, and `found`
 * is the one that the database now contains up to the same position. If the change is missing but is older than
 * `kept_since_s`, the cursor is accepted, because the change may have been removed.
 */
export const isSameHistory = (
  issued: LastChange,
  found: LastChange,
  kept_since_s: number,
): boolean =>
  issued.digest.equals(found.digest) || (found === NO_CHANGE && issued.at_s < kept_since_s);

/** Reads the newest change up to a position. */
export async function findLastChange({ db, tenantId }: Scope, seq: number): Promise<LastChange> {
  const [row] = await run<[LastRow?]>(db, newestQuery(tenantId, [seq]));
  return rowToLast(row);
}

export interface PageWithLast extends FeedPage {
  /** The newest change up to the position at which the page starts. */
  readonly lastBefore: LastChange;
  /** The newest change up to the query's `upTo`. */
  readonly lastUpTo: LastChange;
}

/** Reads the same page as `readFeed` and, in the same statement, the newest change at both ends of the range. */
export async function readFeedWithLast(
  { db, tenantId }: Scope,
  question: FeedQuery,
): Promise<PageWithLast> {
  const { after, upTo } = question;
  const rows = await run<(PageRow & { readonly position: number | null })[]>(db)`
      select ${ENTRIES}, found, null as position from (${pageQuery(tenantId, question)}) page
      union all
      select ${NEWEST}, null, position from (${newestQuery(tenantId, [after, upTo])}) newest
      order by seq`;
  const lastAt = (seq: number) => rowToLast(rows.find(({ position }) => position === seq));
  return {
    ...pageOf(
      rows.filter(({ position }) => position === null),
      question,
    ),
    lastBefore: lastAt(after),
    lastUpTo: lastAt(upTo),
  };
}

type LastRow = Pick<EntryRow, "seq" | "at" | "subject_id" | "version">;
const LAST_COLUMNS: readonly string[] = ["seq", "at", "subject_id", "version"];
const ENTRIES = raw(ENTRY_COLUMNS.join(", "));
const NEWEST = raw(
  ENTRY_COLUMNS.map((name) => (LAST_COLUMNS.includes(name) ? name : "null")).join(", "),
);

/**
 * Finds the newest change up to each position, with one index lookup per type. Includes all types, even types that the
 * reader did not request.
 */
const newestQuery = (tenantId: TenantId, positions: readonly number[]): Sql => sql`
  select position, newest.*
    from (values ${join(positions.map((seq) => sql`(${seq}::bigint)`))}) asked (position)
   cross join lateral (
     select by_type.* from unnest(${FEED_TYPES}::text[]) types (type)
      cross join lateral (
        select ${raw(LAST_COLUMNS.join(", "))} from changes
         where tenant_id = ${tenantId} and subject_type = type and seq <= position
         order by seq desc limit 1) by_type
      order by seq desc limit 1) newest`;

const rowToLast = (row: LastRow | undefined): LastChange =>
  row === undefined
    ? NO_CHANGE
    : lastChangeOf({ ...row, record_id: row.subject_id, at: row.at.toISOString() });
