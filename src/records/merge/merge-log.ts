/**
 * Stores merges: the merged records, their survivors, and the data needed to undo a merge, which is kept for 30 days.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../../audit/index.ts";
import { epochSeconds, isoSeconds, type Clock } from "../../platform/clock/index.ts";
import { run, type Db, type Tx } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import { boolean, integer, nullable, string } from "../../platform/schemas/index.ts";
import { type Page, pageOf, type PageQuery, sliceOf } from "../../platform/paging/index.ts";
import type { RecordType } from "../types/index.ts";
import type { Filled } from "./merge-values.ts";
import type { Moved } from "./referrers.ts";
import { NOW, storedIn, type Stored, type StoredRow } from "../store/index.ts";
import type { Span } from "../list/index.ts";

/** How long a merge can be undone. */
const UNDO_s = 30 * 86_400;
/** Maximum number of merges to clean up per batch. */
const AT_ONCE = 100;

/** The data needed to undo a merge, in addition to the merged records. */
export interface UndoData {
  readonly filled: Filled;
  /** The survivor's encrypted SSN, if it came from a merged record. */
  readonly ssn?: string;
  readonly references: readonly Moved[];
  /** Data that the participants need to undo their part of the merge. */
  readonly elsewhere: JsonObject | null;
}

export interface Merge {
  readonly id: string;
  readonly survivor_id: string;
  readonly merged_ids: readonly string[];
  /** When the records were merged, in epoch seconds. */
  readonly merged_ts: number;
  readonly undone_ts: number | null;
  readonly kept: UndoData | null;
}

/** Whether a merge is recent enough to undo. */
export const isRecent = ({ merged_ts }: Pick<Merge, "merged_ts">, now_s: number): boolean =>
  now_s - merged_ts <= UNDO_s;

/** Stores a merge, including the ids and external ids that now refer to its survivor. */
export async function insertMerge(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  merge: Merge,
  merged: readonly Stored[],
): Promise<void> {
  const { id, survivor_id, merged_ids, merged_ts, kept } = merge;
  await run(db)`insert into merges (tenant_id, id, type, survivor_id, merged_ids, merged_ts, kept)
        values (${tenantId}, ${id}, ${type.name}, ${survivor_id}, ${merged_ids}::text[],
                ${merged_ts}, ${JSON.stringify(kept)}::text::json)`;
  await run(
    db,
  )`insert into merged_records (tenant_id, type, old_id, external_id, into_id, merge_id, body, internal)
        select ${tenantId}::uuid, ${type.name}, m.id, m.external_id, ${survivor_id}, ${id},
               m.body::json, m.internal::json
          from unnest(${merged_ids}::text[],
                      ${merged.map(({ body }) => body["external_id"] ?? null)}::text[],
                      ${merged.map(({ body }) => JSON.stringify(body))}::text[],
                      ${merged.map(({ internal }) => JSON.stringify(internal))}::text[])
               as m(id, external_id, body, internal)`;
}

/** Returns the merged records as they were before the merge. */
export async function mergedRecords(
  { db, tenantId }: Scope,
  mergeId: string,
): Promise<readonly Stored[]> {
  const rows = await run<StoredRow[]>(db)`select body, internal from merged_records
         where tenant_id = ${tenantId} and merge_id = ${mergeId} and body is not null
         order by old_id`;
  return rows.map(storedIn);
}

/** Returns the merge with this id if its survivor is one of these records. */
export async function findMerge(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
  survivorIds: readonly string[],
): Promise<Merge | undefined> {
  const [merge] = await run<Merge[]>(db)`
    select id, survivor_id, merged_ids, merged_ts, undone_ts, kept from merges
     where tenant_id = ${tenantId} and id = ${id} and type = ${type.name}
       and survivor_id = any(${survivorIds}::text[])`;
  return merge;
}

/**
 * Finds the merge that must be undone before this one: either a newer merge into the same survivor, or a merge of that
 * survivor into another record.
 */
export async function findNewer(
  { db, tenantId }: Scope,
  type: RecordType,
  { id, survivor_id }: Merge,
): Promise<string | undefined> {
  const newer = newerSql(tenantId, type, { id: sql`${id}`, survivor_id: sql`${survivor_id}` });
  const [row] = await run(db)`${newer} order by id desc limit 1`;
  return row?.["id"] as string | undefined;
}

/** Returns the query for the ids of the merges that depend on a merge. */
const newerSql = (
  tenantId: TenantId,
  { name }: RecordType,
  { id, survivor_id }: Readonly<Record<"id" | "survivor_id", Sql>>,
): Sql => sql`
  select id from merges
   where tenant_id = ${tenantId} and survivor_id = ${survivor_id} and type = ${name}
     and undone_ts is null and id > ${id}
   union all
  select merge_id from merged_records
   where tenant_id = ${tenantId} and type = ${name} and old_id = ${survivor_id}`;

/** Maximum number of restored records that a window returns in addition to the records in its span. */
const RESTORED_MAX = 10_000;

/**
 * Returns the ids of records that were restored in this span because a merge was undone. If there are too many, returns
 * the most recent ones.
 */
export async function restoredIds(
  { db, tenantId }: Scope,
  type: RecordType,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: Span,
): Promise<readonly string[]> {
  const rows = await run(db)`select unnest(merged_ids) as id from merges
         where tenant_id = ${tenantId} and type = ${type.name}
           and undone_ts between ${from}::bigint and ${to}::bigint
         order by undone_ts desc limit ${RESTORED_MAX}`;
  return rows.map(({ id }) => String(id));
}

/**
 * Marks a merge as undone, with the database's clock like all times that polls depend on. The ids of the merged records
 * no longer redirect to the survivor.
 */
export async function closeMerge({ db, tenantId }: Scope<Tx>, { id }: Merge): Promise<void> {
  await run(db)`delete from merged_records where tenant_id = ${tenantId} and merge_id = ${id}`;
  await run(db)`update merges set undone_ts = n.ts, kept = null from ${NOW}
         where tenant_id = ${tenantId} and id = ${id}`;
}

/** Returns the merges into any of these records, newest first, for responses. */
export async function listMerges(
  { db, tenantId }: Scope,
  {
    type,
    survivorIds,
    now_s,
  }: {
    readonly type: RecordType;
    readonly survivorIds: readonly string[];
    readonly now_s: number;
  },
  query: PageQuery,
): Promise<Page<JsonObject & { readonly id: string }>> {
  const slice = sliceOf(query);
  const before = slice.before === undefined ? sql`` : sql`and id < ${slice.before}`;
  const newer = newerSql(tenantId, type, { id: raw("m.id"), survivor_id: raw("m.survivor_id") });
  const rows = await run<ListedMerge[]>(db)`
        select id, survivor_id, merged_ids, merged_ts, undone_ts,
               kept is not null and undone_ts is null and not exists (${newer}) as is_open
          from merges m
         where tenant_id = ${tenantId} and survivor_id = any(${survivorIds}::text[])
           and type = ${type.name} ${before}
         order by id desc limit ${slice.limit} offset ${slice.offset}`;
  return pageOf(
    rows.map((row) => shown(row, now_s)),
    slice,
  );
}

interface ListedMerge extends Omit<Merge, "kept"> {
  /** Whether the merge can be undone if it is recent enough. */
  readonly is_open: boolean;
}

const shown = (merge: ListedMerge, now_s: number) => {
  const { id, survivor_id, merged_ids, merged_ts, undone_ts, is_open } = merge;
  return {
    id,
    survivor_id,
    merged_ids,
    merged_ts,
    merged_date: isoSeconds(merged_ts),
    undone_ts,
    undone_date: undone_ts === null ? null : isoSeconds(undone_ts),
    undo_until: isoSeconds(merged_ts + UNDO_s),
    is_undoable: is_open && isRecent(merge, now_s),
  };
};

/** The schema of a merge in lists. */
export const MERGE_SCHEMA: Schema = {
  title: "Merge",
  type: "object",
  required: ["id", "survivor_id", "merged_ids", "merged_ts", "undone_ts", "is_undoable"],
  properties: {
    id: string("The id of the merge."),
    survivor_id: string("The id of the surviving record."),
    merged_ids: {
      type: "array",
      items: { type: "string" },
      description: "The ids of the merged records.",
    },
    merged_ts: integer("When the records were merged, in epoch seconds."),
    merged_date: { type: "string", format: "date-time" },
    undone_ts: nullable(
      integer("When the merge was undone, in epoch seconds; null if it was not."),
    ),
    undone_date: { type: ["string", "null"] },
    undo_until: string("The deadline for undoing the merge.", { format: "date-time" }),
    is_undoable: boolean(
      "Whether the merge can be undone: it has not been undone, it is at most 30 days old, and no newer merge depends on it.",
    ),
  },
};

/**
 * Deletes a batch of undo data for merges that are too old to undo. Returns whether there was any. Old ids still
 * redirect to the survivor.
 */
export async function forgetMerges(db: Db, clock: Clock): Promise<boolean> {
  const before_ts = epochSeconds(clock) - UNDO_s;
  const rows = await run(db)`
    with old as (
      select tenant_id, id from merges
       where kept is not null and merged_ts < ${before_ts}::bigint
       order by merged_ts limit ${AT_ONCE}
    ), forgotten as (
      update merges m set kept = null from old o
       where m.tenant_id = o.tenant_id and m.id = o.id and m.kept is not null
      returning m.tenant_id, m.id
    ), emptied as (
      update merged_records r set body = null, internal = null from forgotten f
       where r.tenant_id = f.tenant_id and r.merge_id = f.id
    )
    select id from forgotten`;
  return rows.length > 0;
}
