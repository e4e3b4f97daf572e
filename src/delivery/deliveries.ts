/** Deliveries as they are stored and returned. */

import sql from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { firstIdAt } from "../platform/clock/index.ts";
import { namesOf } from "../platform/json/index.ts";
import {
  type Given,
  type Members,
  nullable,
  objectSchema,
  type Page,
  PAGE_PARAMETERS,
  pageOf,
  type Parameters,
  queryError,
  type Schemas,
  sliceOf,
  type Stored,
  withDates,
} from "../platform/validation/index.ts";
import { FAULTS } from "./topics.ts";
import { run } from "../platform/database/index.ts";

export const STATUSES = ["pending", "delivered", "failed", "gone"] as const;
export type Status = (typeof STATUSES)[number];

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;

const ATTEMPT = {
  at: { ...STRING, format: "date-time" },
  status: { ...nullable(INTEGER), description: "Of the answer; null where there was none." },
  duration_ms: INTEGER,
  fault: {
    ...nullable({ ...STRING, enum: FAULTS }),
    description: "Why there is no answer, or why it did not count.",
  },
} as const satisfies Schemas;

const WHOLE_ATTEMPT = {
  ...ATTEMPT,
  answer: { ...nullable(STRING), description: "The first 2 KiB of the answer's body." },
} as const satisfies Schemas;

export interface ShownAttempt extends Members<typeof WHOLE_ATTEMPT> {}

/** A delivery as it is returned. */
const DELIVERY = {
  id: { ...STRING, description: "The webhook-id, the same on every try." },
  topic: STRING,
  subject_id: { ...STRING, description: "What it is about: the id of a pushed lead." },
  status: { ...STRING, enum: STATUSES },
  url: { ...nullable(STRING), description: "Where the last attempt went." },
  attempt_count: INTEGER,
  last_attempt: { anyOf: [objectSchema(ATTEMPT), { type: "null" }] },
  next_attempt_ts: nullable(INTEGER),
  next_attempt_date: nullable(STRING),
  delivered_ts: { ...nullable(INTEGER), description: "When it was first taken." },
  delivered_date: nullable(STRING),
  created_ts: INTEGER,
  created_date: STRING,
  updated_ts: INTEGER,
  updated_date: STRING,
} as const satisfies Schemas;

export interface ShownDelivery extends Members<typeof DELIVERY> {}

/** Schemas that openapi.json prints by name. */
export const deliverySchemas: Schemas = {
  Delivery: objectSchema(DELIVERY, [
    "id",
    "topic",
    "subject_id",
    "status",
    "attempt_count",
    "created_ts",
    "updated_ts",
  ]),
  DeliveryAttempt: objectSchema(WHOLE_ATTEMPT, namesOf(ATTEMPT)),
};

/** A stored delivery, as far as it decides what happens next. */
export interface Delivery {
  readonly id: string;
  readonly topic: string;
  readonly subject_id: string;
  readonly status: Status;
  readonly attempts: number;
  /** Attempts since it was last started. */
  readonly tries: number;
  readonly delivered_ts: number | null;
}

/** One delivery, locked for the rest of the transaction where that is asked. */
export async function findDelivery(
  { db, tenantId }: Scope,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<Delivery | undefined> {
  const [row] = await run<[Delivery?]>(db)`
    select id, topic, subject_id, status, attempts, tries, delivered_ts
      from deliveries where tenant_id = ${tenantId} and id = ${id}
      ${lock ? sql`for update` : sql``}`;
  return row;
}

export const LIST_PARAMETERS = {
  status: { kind: "choice", of: STATUSES, description: "The present state." },
  topic: { kind: "text", max: 100, description: "What is told: lead.imported, event." },
  start_date: { kind: "instant", description: "The first second of its promise, in UTC." },
  end_date: { kind: "instant", description: "The last second, in UTC." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export type ListQuery = Partial<Given<typeof LIST_PARAMETERS>>;

const ATTEMPT_COLUMNS = sql`
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, status, duration_ms, fault`;

/** What every statement that returns deliveries reads: each with its last attempt. */
const DELIVERIES = sql`
  select d.id, d.topic, d.subject_id, d.status, d.url, d.attempts as attempt_count,
         (select to_json(a) from (
            select ${ATTEMPT_COLUMNS} from delivery_attempts
             where tenant_id = d.tenant_id and delivery_id = d.id
             order by id desc limit 1) a) as last_attempt,
         ceil(extract(epoch from d.next_at))::bigint as next_attempt_ts, d.delivered_ts,
         d.created_ts, d.updated_ts
    from deliveries d`;

type StoredDelivery = Stored<typeof DELIVERY>;

/** Deliveries of a topic whose subjects begin alike, with a point behind that. */
export interface About {
  readonly topic: string;
  readonly subject: string;
}

/** What their indexes are over. */
const isAbout = ({ topic, subject }: About) =>
  sql`d.topic = ${topic} and split_part(d.subject_id, '.', 1) = ${subject}`;

/**
 * How far the second that an id tells may be from the one of its promise: a clock may be set back, which
 * no id follows. Within that the ids lead to the dates, so that the dates need no index of their own.
 */
const APART_s = 3600;

const createdFrom = (at_s: number) =>
  sql`and d.created_ts >= ${at_s} and d.id >= ${firstIdAt(at_s - APART_s)}`;
const createdUpTo = (at_s: number) =>
  sql`and d.created_ts <= ${at_s} and d.id < ${firstIdAt(at_s + 1 + APART_s)}`;

/** A page, newest first. Throws 422 for what contradicts itself. */
export async function listDeliveries(
  { db, tenantId }: Scope,
  query: ListQuery,
  about?: About,
): Promise<Page<ShownDelivery>> {
  const { status, topic, start_date, end_date } = query;
  if (start_date !== undefined && end_date !== undefined && start_date > end_date) {
    throw queryError("start_date", start_date, "start_date must not be after end_date");
  }
  const slice = sliceOf(query);
  const rows = await run<StoredDelivery[]>(db)`
    ${DELIVERIES}
     where d.tenant_id = ${tenantId}
       ${status === undefined ? sql`` : sql`and d.status = ${status}`}
       ${topic === undefined ? sql`` : sql`and d.topic = ${topic}`}
       ${about === undefined ? sql`` : sql`and ${isAbout(about)}`}
       ${start_date === undefined ? sql`` : createdFrom(start_date)}
       ${end_date === undefined ? sql`` : createdUpTo(end_date)}
       ${slice.before === undefined ? sql`` : sql`and d.id < ${slice.before}`}
     order by d.id desc
     limit ${slice.limit} offset ${slice.offset}`;
  return pageOf(rows.map(withDates), slice);
}

/** One delivery with all its attempts, oldest first; undefined where there is none. */
export async function readDelivery(
  scope: Scope,
  id: string,
): Promise<(ShownDelivery & { readonly attempts: readonly ShownAttempt[] }) | undefined> {
  const { db, tenantId } = scope;
  const [row] = await run<StoredDelivery[]>(db)`
    ${DELIVERIES} where d.tenant_id = ${tenantId} and d.id = ${id}`;
  if (row === undefined) return undefined;
  const attempts = await run<ShownAttempt[]>(db)`
    select ${ATTEMPT_COLUMNS}, answer from delivery_attempts
     where tenant_id = ${tenantId} and delivery_id = ${id} order by id`;
  return { ...withDates(row), attempts };
}

/** How many of these deliveries are still open, at most `most`. */
export async function countOpen(
  { db, tenantId }: Scope,
  about: About,
  most: number,
): Promise<number> {
  const rows = await run(db)`
    select from deliveries d
     where d.tenant_id = ${tenantId} and d.status = 'pending' and ${isAbout(about)}
     limit ${most}`;
  return rows.count;
}

/** The newest delivery of a topic about each of these subjects, by subject. */
export async function deliveriesOf(
  { db, tenantId }: Scope,
  topic: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, ShownDelivery>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await run<StoredDelivery[]>(db)`
    ${DELIVERIES}
     where d.tenant_id = ${tenantId} and d.topic = ${topic}
       and d.subject_id = any(${subjectIds}::text[])
     order by d.id`;
  return new Map(rows.map((row) => [row.subject_id, withDates(row)]));
}
