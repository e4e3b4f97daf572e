/** A tenant's changes in the order of their positions, for the change feed and event webhooks. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import {
  ACTOR_SCHEMA,
  type Actor,
  CHANGED_FIELD_SCHEMA,
  REQUEST_ID_SCHEMA,
  type Scope,
  type TenantId,
} from "../audit/index.ts";
import { run } from "../platform/database/index.ts";
import { type Json, namesOf } from "../platform/json/index.ts";
import {
  described,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { type RecordName, RECORD_NAMES } from "../records/types/index.ts";

export interface FeedEntry {
  /** The position of this change among the tenant's changes. */
  readonly seq: number;
  readonly id: string;
  /** The time in ISO 8601, in UTC and with milliseconds. */
  readonly at: string;
  readonly type: EventType;
  readonly record_id: string;
  readonly action: FeedAction;
  /** The action in the audit log, if it is more specific than the feed's action. */
  readonly reason?: string;
  /** The version of the record after the change; null for pushed leads. */
  readonly version: number | null;
  /** The changed fields, with secrets masked. */
  readonly fields: Readonly<Record<string, { readonly old: Json; readonly new: Json }>>;
  readonly actor: Pick<Actor, "kind" | "id" | "name">;
  readonly request_id: string | null;
}

export const FEED_ACTIONS = ["created", "updated", "deleted", "merged"] as const;
export type FeedAction = (typeof FEED_ACTIONS)[number];

/** A database row with the columns in ENTRY_COLUMNS. */
export interface EntryRow extends Pick<FeedEntry, "seq" | "id" | "version" | "request_id"> {
  readonly at: Date;
  readonly subject_type: EventType;
  readonly subject_id: string;
  readonly action: string;
  readonly actor_kind: Actor["kind"];
  readonly actor_id: string;
  readonly actor_name: string;
  /** The changed fields. Each has a pair of values: the old and the new one. */
  readonly fields: Readonly<Record<string, readonly [Json, Json]>>;
}

/** The columns that an entry of the feed is created from. */
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

/** The record type of pushed leads, which the feed contains in addition to the tenant's own record types. */
export const PUSHED_LEAD = "pushed_lead";
export type FeedType = RecordName | typeof PUSHED_LEAD;

/** Erasing a person is an event but has no entry in the feed. Instead, the feed has an entry for each erased record. */
export const PERSON_ERASURE = "person_erasure";
export type EventType = FeedType | typeof PERSON_ERASURE;

export const FEED_TYPES: readonly FeedType[] = [...RECORD_NAMES, PUSHED_LEAD];

export const CHANGED_FIELDS = described(
  { type: "object", additionalProperties: CHANGED_FIELD_SCHEMA },
  "The changed fields, each with its old and new value.",
);

/** A change as the feed returns it. */
const CHANGE = {
  cursor: string("The cursor to continue from after this change."),
  type: string("The type of the record.", { enum: FEED_TYPES }),
  id: string("The id of the record."),
  action: string("What happened to the record.", { enum: FEED_ACTIONS }),
  reason: string(
    "The more specific action in the audit log, if there is one, such as `converted` or `accepted`.",
  ),
  version: nullable(integer("The version of the record after the change; null for pushed leads.")),
  at: string("When it happened.", { format: "date-time" }),
  changed_fields: CHANGED_FIELDS,
  actor: described(ACTOR_SCHEMA, "Who made the change."),
  request_id: REQUEST_ID_SCHEMA,
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

/** A query for changes whose positions are after `after`, up to and including `upTo`. `upTo` must be settled. */
export interface FeedQuery {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** All changes up to this position have been read. The next page continues after it. */
  readonly reached: number;
}

/** A page ends as soon as its total size reaches this limit, even after a single entry. */
const PAGE_BYTES = 1024 * 1024;
/** How long the feed returns changes. Their rows are stored longer, for the audit log. */
export const RETENTION_s = 30 * 86_400;
/**
 * The action that is logged when a secret of a record is shown. It does not change the record, so the feed omits it.
 */
export const NOT_RETURNED = "revealed";

/**
 * Reads the next entries. Each type is a separate index range, and PostgreSQL merges the ranges as it reads. The cost
 * therefore does not depend on how many types there are or how rare they are. The statement's snapshot must be taken
 * after `upTo` has settled, so a transaction with a single snapshot must not start earlier.
 */
export async function readFeed({ db, tenantId }: Scope, question: FeedQuery): Promise<FeedPage> {
  const { after, upTo, types } = question;
  if (types.length === 0 || after >= upTo) return { entries: [], reached: Math.max(after, upTo) };
  return pageOf(await run<PageRow[]>(db)`${pageQuery(tenantId, question)} order by seq`, question);
}

/**
 * Returns a query for the entries of a page, unordered. `found` is the number of entries before the page is cut to its
 * maximum size.
 */
export function pageQuery(tenantId: TenantId, { after, upTo, types, limit }: FeedQuery): Sql {
  const ranges = types.map(
    (type) => sql`
      (select * from changes
        where tenant_id = ${tenantId} and subject_type = ${type} and action <> ${NOT_RETURNED}
          and seq > ${after}::bigint and seq <= ${upTo}::bigint
        order by seq limit ${limit})`,
  );
  return cutToSize(
    sql`select * from (${join(ranges, " union all ")}) merged order by seq limit ${limit}`,
    "seq",
  );
}

/** Returns a query for the first of these changes, up to the maximum size of a page, unordered. */
export const cutToSize = (changes: Sql, order: "seq" | "id"): Sql => sql`
      select ${raw(ENTRY_COLUMNS.join(", "))}, found
        from (select n.*, count(*) over () as found,
                     sum(octet_length(fields::text)) over (order by ${raw(order)})
                       - octet_length(fields::text) as bytes_before
                from (${changes}) n) sized
       where bytes_before < ${PAGE_BYTES}::bigint`;

/** A row of a page. `found` has the same meaning as in `pageQuery`. */
export type PageRow = EntryRow & { readonly found: number | string };

/** Builds a page from the rows of its query, which must be ordered by position. */
export function pageOf(rows: readonly PageRow[], { upTo, limit }: FeedQuery): FeedPage {
  const entries = rows.map(entryOf);
  return { entries, reached: isLastPage(rows, limit) ? upTo : (entries.at(-1)?.seq ?? upTo) };
}

/** Whether a page that could contain `limit` changes contains all changes that remained. */
export function isLastPage(rows: readonly PageRow[], limit: number): boolean {
  const found = Number(rows[0]?.found ?? 0);
  return found < limit && rows.length === found;
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

/**
 * Actions that create a record: a push creates a pushed lead, and undoing a merge restores the
 * merged record.
 */
const CREATIONS: readonly string[] = ["pushed", "restored"];
/** The action that is logged for a record that is erased together with a person's other data. */
export const ERASED = "erased";
/**
 * Converts an action in the log to the feed's action. An action that the feed does not use, such as a status change or
 * "converted", is reported as an update.
 */
function actionShown(stored: string): FeedAction {
  if (CREATIONS.includes(stored)) return "created";
  if (stored === ERASED) return "deleted";
  return FEED_ACTIONS.find((action) => action === stored) ?? "updated";
}
