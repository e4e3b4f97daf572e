/** A tenant's changes in the order of their positions, as the feed and event webhooks tell them. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { ACTOR_SCHEMA, type Actor, type Scope, type TenantId } from "../audit/index.ts";
import { run } from "../platform/database/index.ts";
import { type Json, namesOf } from "../platform/json/index.ts";
import { type Members, objectSchema, type Schemas } from "../platform/validation/index.ts";
import { recordTypes, type RecordName } from "../records/index.ts";

/** One change. */
export interface FeedEntry {
  /** Its position. */
  readonly seq: number;
  readonly id: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
  readonly type: FeedType;
  readonly record_id: string;
  readonly action: FeedAction;
  /** The word under which the audit knows it, where that is another. */
  readonly reason?: string;
  /** Of the record, after the change; null on pushed leads. */
  readonly version: number | null;
  /** The fields that changed; secrets are masked. */
  readonly fields: Readonly<Record<string, { readonly old: Json; readonly new: Json }>>;
  readonly actor: Pick<Actor, "kind" | "id" | "name">;
  readonly request_id: string | null;
}

export const FEED_ACTIONS = ["created", "updated", "deleted", "merged"] as const;
export type FeedAction = (typeof FEED_ACTIONS)[number];

/** A row of ENTRY_COLUMNS. */
export interface EntryRow extends Pick<FeedEntry, "seq" | "id" | "version" | "request_id"> {
  readonly at: Date;
  readonly subject_type: FeedType;
  readonly subject_id: string;
  readonly action: string;
  readonly actor_kind: Actor["kind"];
  readonly actor_id: string;
  readonly actor_name: string;
  /** Old and new values. */
  readonly fields: Readonly<Record<string, readonly [Json, Json]>>;
}

/** What an entry is made of. */
export const ENTRY_COLUMNS = [
  "seq",
  "id",
  "at",
  "subject_type",
  "subject_id",
  "action",
  "version",
  "actor_kind",
  "actor_id",
  "actor_name",
  "fields",
  "request_id",
] as const satisfies readonly (keyof EntryRow)[];

/** Pushed leads are in the feed beside the record types. */
export const PUSHED_LEAD = "pushed_lead";
export type FeedType = RecordName | typeof PUSHED_LEAD;
export const FEED_TYPES: readonly FeedType[] = [
  ...recordTypes.map(({ name }) => name),
  PUSHED_LEAD,
];

/** A change as readers of the feed see it. */
const CHANGE = {
  cursor: { type: "string", description: "The place behind this change." },
  type: { type: "string", enum: FEED_TYPES },
  id: { type: "string", description: "Of the record." },
  action: { type: "string", enum: FEED_ACTIONS },
  reason: {
    type: "string",
    description: "What the audit calls it, where that is another word: converted, accepted …",
  },
  version: {
    type: ["integer", "null"],
    description: "Of the record after the change; null on pushed leads.",
  },
  at: { type: "string", format: "date-time" },
  changed_fields: { type: "object", additionalProperties: objectSchema({ old: {}, new: {} }) },
  actor: ACTOR_SCHEMA,
  request_id: { type: ["string", "null"] },
} as const satisfies Schemas;

type Change = Members<typeof CHANGE>;
export type FeedChange = Omit<Change, "reason"> & Partial<Pick<Change, "reason">>;

export const CHANGE_MEMBERS = namesOf<keyof FeedChange>(CHANGE);

export const FEED_CHANGE = objectSchema(CHANGE, [
  "cursor",
  "type",
  "id",
  "action",
  "version",
  "at",
  "changed_fields",
  "actor",
]);

/** What is asked of the feed: positions above `after` up to `upTo`, which has to be settled. */
export interface FeedQuestion {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Up to here nothing is left to tell; a further read goes on after it. */
  readonly reached: number;
}

/** A page ends with the entry that reaches this size, however few it has. */
const PAGE_BYTES = 1024 * 1024;
/** How long changes are returned; the rows stay, for the audit. */
export const RETENTION_s = 30 * 86_400;
/** Logged at a record, but no change of it: that its secret was shown. */
export const NOT_RETURNED = "revealed";

/**
 * Reads the next entries. Each type is a range of its index, and PostgreSQL merges them as they are
 * read, so that rare types and many types cost the same. The snapshot must be taken after `upTo` was
 * found settled: in a transaction that keeps one snapshot, that of its beginning counts.
 */
export async function readFeed({ db, tenantId }: Scope, question: FeedQuestion): Promise<FeedPage> {
  const { after, upTo, types } = question;
  if (types.length === 0 || after >= upTo) return { entries: [], reached: Math.max(after, upTo) };
  return pageOf(await run<PageRow[]>(db)`${pageQuery(tenantId, question)} order by seq`, question);
}

/** The entries of a page, in no order, each with how many were found before the page was cut. */
export function pageQuery(tenantId: TenantId, { after, upTo, types, limit }: FeedQuestion): Sql {
  const ranges = types.map(
    (type) => sql`
      (select * from changes
        where tenant_id = ${tenantId} and subject_type = ${type} and action <> ${NOT_RETURNED}
          and seq > ${after}::bigint and seq <= ${upTo}::bigint
        order by seq limit ${limit})`,
  );
  return sql`
      select ${raw(ENTRY_COLUMNS.join(", "))}, found
        from (select n.*, count(*) over () as found,
                     sum(octet_length(fields::text)) over (order by seq)
                       - octet_length(fields::text) as bytes_before
                from (select * from (${join(ranges, " union all ")}) merged
                       order by seq limit ${limit}) n) sized
       where bytes_before < ${PAGE_BYTES}::bigint`;
}

/** A row of a page, with how many were found before the page was cut. */
export type PageRow = EntryRow & { readonly found: number | string };

/** The page that the rows of its query make, in the order of their positions. */
export function pageOf(rows: readonly PageRow[], { upTo, limit }: FeedQuestion): FeedPage {
  const entries = rows.map(entryOf);
  const found = Number(rows[0]?.found ?? 0);
  const isAll = found < limit && entries.length === found;
  return { entries, reached: isAll ? upTo : (entries.at(-1)?.seq ?? upTo) };
}

export function entryOf(row: EntryRow): FeedEntry {
  const action = actionShown(row.action);
  return {
    seq: row.seq,
    id: row.id,
    at: row.at.toISOString(),
    type: row.subject_type,
    record_id: row.subject_id,
    action,
    ...(action !== row.action && { reason: row.action }),
    version: row.version,
    fields: Object.fromEntries(
      Object.entries(row.fields).map(([name, [old, now]]) => [name, { old, new: now }]),
    ),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    request_id: row.request_id,
  };
}

/** What makes a record: a push, a pushed lead; the undoing of a merge, the one that was merged. */
const MAKES: readonly string[] = ["pushed", "restored"];
/** Moves, and words such as "converted", are updates. */
const actionShown = (stored: string): FeedAction =>
  MAKES.includes(stored)
    ? "created"
    : (FEED_ACTIONS.find((action) => action === stored) ?? "updated");
