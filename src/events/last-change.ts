/**
 * Finds a tenant's newest change up to a position. Cursors contain a digest of this change and of the latest restore of
 * the database. If the database has a different change at that position, or does not contain that restore, the cursor
 * comes from another history, for example from before a restore (docs/decisions/0005-change-feed.md).
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

/** The newest change in the database, for comparison with cursors. */
export interface FoundChange extends LastChange {
  /** Whether a cursor's digest is a digest of this change, with any restore that the database contains or with none. */
  readonly matches: (digest: Buffer) => boolean;
}

/** Restore times in epoch seconds, oldest first. Each identifies a restore. */
export type Restores = readonly string[];

export const DIGEST_BYTES = 8;
const NO_DIGEST = Buffer.alloc(DIGEST_BYTES);
/** The value to use if the tenant has no change up to the position. */
export const NO_CHANGE: FoundChange = {
  at_s: 0,
  digest: NO_DIGEST,
  matches: (digest) => digest.equals(NO_DIGEST),
};

/**
 * The members of an entry that never change. The digest includes only these members, because other values may be erased
 * later.
 */
type Immutable = Pick<FeedEntry, "seq" | "record_id" | "version" | "at">;

export const lastChangeOf = (entry: Immutable, restores: Restores): LastChange => ({
  at_s: Math.floor(Date.parse(entry.at) / 1000),
  digest: digestOf(entry, restores.at(-1)),
});

/** `restore` is the latest restore, or undefined before the first one. */
function digestOf({ seq, record_id, version, at }: Immutable, restore: string | undefined): Buffer {
  const change = `${seq} ${record_id} ${version} ${at}`;
  const text = restore === undefined ? change : `${change} ${restore}`;
  return createHash("sha256").update(text).digest().subarray(0, DIGEST_BYTES);
}

/**
 * Whether a cursor belongs to the current history. `issued` is the last change when the cursor was issued, and `found`
 * is the one that the database now contains up to the same position. If the change is missing but is older than
 * `kept_since_s`, the cursor is accepted, because the change may have been removed.
 */
export const isSameHistory = (
  issued: LastChange,
  found: FoundChange,
  kept_since_s: number,
): boolean => found.matches(issued.digest) || (found === NO_CHANGE && issued.at_s < kept_since_s);

/** Reads the newest change up to a position. */
export async function findLastChange({ db, tenantId }: Scope, seq: number): Promise<FoundChange> {
  const [row] = await run<[LastRow?]>(db, newestQuery(tenantId, [seq]));
  return rowToLast(row);
}

export interface PageWithLast extends FeedPage {
  /** The newest change up to the position at which the page starts. */
  readonly lastBefore: FoundChange;
  /** The newest change up to the query's `upTo`. */
  readonly lastUpTo: FoundChange;
  /** The restores of the database. May be empty if the page has no entries. */
  readonly restores: Restores;
}

/** Reads the same page as `readFeed` and, in the same statement, the newest change at both ends of the range. */
export async function readFeedWithLast(
  { db, tenantId }: Scope,
  question: FeedQuery,
): Promise<PageWithLast> {
  const { after, upTo } = question;
  const rows = await run<(PageRow & Positioned)[]>(db)`
      select ${ENTRIES}, found, null as position, null as restores
        from (${pageQuery(tenantId, question)}) page
      union all
      select ${NEWEST}, null, position, restores from (${newestQuery(tenantId, [after, upTo])}) newest
      order by seq`;
  const rowAt = (seq: number) => rows.find(({ position }) => position === seq);
  return {
    ...pageOf(
      rows.filter(({ position }) => position === null),
      question,
    ),
    lastBefore: rowToLast(rowAt(after)),
    lastUpTo: rowToLast(rowAt(upTo)),
    restores: rowAt(upTo)?.restores ?? [],
  };
}

/** The columns that only the rows of the newest changes have. They are null in the rows of the page. */
interface Positioned {
  readonly position: number | null;
  readonly restores: Restores;
}

type LastRow = Pick<EntryRow, "seq" | "at" | "subject_id" | "version"> &
  Pick<Positioned, "restores">;
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
  select position, newest.*,
         array(select extract(epoch from restored_at)::text from restores order by id) as restores
    from (values ${join(positions.map((seq) => sql`(${seq}::bigint)`))}) asked (position)
   cross join lateral (
     select by_type.* from unnest(${FEED_TYPES}::text[]) types (type)
      cross join lateral (
        select ${raw(LAST_COLUMNS.join(", "))} from changes
         where tenant_id = ${tenantId} and subject_type = type and seq <= position
         order by seq desc limit 1) by_type
      order by seq desc limit 1) newest`;

function rowToLast(row: LastRow | undefined): FoundChange {
  if (row === undefined) return NO_CHANGE;
  const entry = { ...row, record_id: row.subject_id, at: row.at.toISOString() };
  const restores = [...row.restores.toReversed(), undefined];
  return {
    ...lastChangeOf(entry, row.restores),
    matches: (digest) => restores.some((restore) => digestOf(entry, restore).equals(digest)),
  };
}
