/**
 * The newest change of a tenant at or below a position. Cursors carry its digest: if the database holds
 * another change there, the cursor was issued by another history, for example before a restore.
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
  type FeedQuestion,
  type PageRow,
} from "./feed.ts";

export interface LastChange {
  /** When it was logged, in whole epoch seconds. */
  readonly at_s: number;
  readonly digest: Buffer;
}

export const DIGEST_BYTES = 8;
/** Where the tenant has no change at or below the position. */
export const NO_CHANGE: LastChange = { at_s: 0, digest: Buffer.alloc(DIGEST_BYTES) };

/** Only what never changes: the values of an entry may be erased later. */
type Immutable = Pick<FeedEntry, "seq" | "record_id" | "version" | "at">;

export const lastChangeOf = ({ seq, record_id, version, at }: Immutable): LastChange => ({
  at_s: Math.floor(Date.parse(at) / 1000),
  digest: createHash("sha256")
    .update(`${seq} ${record_id} ${version} ${at}`)
    .digest()
    .subarray(0, DIGEST_BYTES),
});

/**
 * Whether a cursor that was issued behind `issued` belongs to a history that has `found` there. Nothing
 * found proves nothing if the change is older than `kept_since_s`: it may have been removed since.
 */
export const isSameHistory = (
  issued: LastChange,
  found: LastChange,
  kept_since_s: number,
): boolean =>
  issued.digest.equals(found.digest) || (found === NO_CHANGE && issued.at_s < kept_since_s);

/** Reads the newest change at or below a position. */
export async function findLastChange({ db, tenantId }: Scope, seq: number): Promise<LastChange> {
  const [row] = await run<[LastRow?]>(db, newestQuery(tenantId, [seq]));
  return rowToLast(row);
}

export interface PageWithLast extends FeedPage {
  /** The newest change at or below the position after which the page begins. */
  readonly lastBefore: LastChange;
  /** The same for `upTo`. */
  readonly lastUpTo: LastChange;
}

/** `readFeed` with the newest changes at both ends of the question, in one statement. */
export async function readFeedWithLast(
  { db, tenantId }: Scope,
  question: FeedQuestion,
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

/** Of each type one step in its index; all types count, whichever a reader asks for. */
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
