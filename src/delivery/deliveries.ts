/** Deliveries as they are stored and shown. */

import sql from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { firstIdAt, isoSeconds } from "../platform/clock/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import {
  type Given,
  type Page,
  PAGE_PARAMETERS,
  pageOf,
  type Parameters,
  type Schema,
  sliceOf,
} from "../platform/validation/index.ts";
import { ValidationError } from "../platform/errors/index.ts";
import { FAULTS } from "./topics.ts";
import { run } from "../platform/database/index.ts";

export const STATUSES = ["pending", "delivered", "failed", "gone"] as const;
export type Status = (typeof STATUSES)[number];

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

/** What every statement that returns deliveries reads: each with its last attempt. */
const TOLD = sql`
  select d.id, d.topic, d.subject_id, d.status, d.url, d.attempts, d.next_at, d.delivered_ts,
         d.created_ts, d.updated_ts, a.at, a.status as answer_status, a.duration_ms, a.fault
    from deliveries d
    left join lateral (
      select at, status, duration_ms, fault from delivery_attempts
       where tenant_id = d.tenant_id and delivery_id = d.id
       order by id desc limit 1) a on true`;

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
): Promise<Page<ToldDelivery>> {
  const { status, topic, start_date, end_date } = query;
  if (start_date !== undefined && end_date !== undefined && start_date > end_date) {
    const msg = "Value error, start_date must not be after end_date";
    const loc = ["query", "start_date"];
    throw new ValidationError([{ type: "value_error", loc, msg, input: start_date }]);
  }
  const slice = sliceOf(query);
  const rows = await run(db)`
    ${TOLD}
     where d.tenant_id = ${tenantId}
       ${status === undefined ? sql`` : sql`and d.status = ${status}`}
       ${topic === undefined ? sql`` : sql`and d.topic = ${topic}`}
       ${about === undefined ? sql`` : sql`and ${isAbout(about)}`}
       ${start_date === undefined ? sql`` : createdFrom(start_date)}
       ${end_date === undefined ? sql`` : createdUpTo(end_date)}
       ${slice.before === undefined ? sql`` : sql`and d.id < ${slice.before}`}
     order by d.id desc
     limit ${slice.limit} offset ${slice.offset}`;
  return pageOf(rows.map(toldDelivery), slice);
}

/** One delivery with all its attempts, oldest first; undefined where there is none. */
export async function readDelivery(
  scope: Scope,
  id: string,
): Promise<(ToldDelivery & { readonly attempts: readonly JsonObject[] }) | undefined> {
  const { db, tenantId } = scope;
  const [row] = await run(db)`${TOLD} where d.tenant_id = ${tenantId} and d.id = ${id}`;
  if (row === undefined) return undefined;
  const attempts = await run(db)`
    select at, status as answer_status, duration_ms, fault, answer from delivery_attempts
     where tenant_id = ${tenantId} and delivery_id = ${id} order by id`;
  return {
    ...toldDelivery(row),
    attempts: attempts.map((attempt) => ({
      ...toldAttempt(attempt),
      answer: attempt["answer"] as string | null,
    })),
  };
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
): Promise<ReadonlyMap<string, ToldDelivery>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await run(db)`
    ${TOLD}
     where d.tenant_id = ${tenantId} and d.topic = ${topic}
       and d.subject_id = any(${subjectIds}::text[])
     order by d.id`;
  return new Map(rows.map((row) => [row["subject_id"] as string, toldDelivery(row)]));
}

export type ToldDelivery = JsonObject & { readonly id: string };
type Row = Readonly<Record<string, unknown>>;

function toldDelivery(row: Row): ToldDelivery {
  const next_at = row["next_at"] as Date | null;
  const next_ts = next_at === null ? null : Math.ceil(next_at.getTime() / 1000);
  const moments = {
    next_attempt: next_ts,
    delivered: row["delivered_ts"] as number | null,
    created: row["created_ts"] as number,
    updated: row["updated_ts"] as number,
  };
  return {
    id: row["id"] as string,
    topic: row["topic"] as string,
    subject_id: row["subject_id"] as string,
    status: row["status"] as string,
    url: row["url"] as string | null,
    attempt_count: row["attempts"] as number,
    last_attempt: row["at"] === null ? null : toldAttempt(row),
    ...Object.fromEntries(
      Object.entries(moments).flatMap(([name, at_s]) => [
        [`${name}_ts`, at_s],
        [`${name}_date`, at_s === null ? null : isoSeconds(at_s)],
      ]),
    ),
  };
}

const toldAttempt = (row: Row): JsonObject => ({
  at: (row["at"] as Date).toISOString(),
  status: row["answer_status"] as number | null,
  duration_ms: row["duration_ms"] as number,
  fault: row["fault"] as string | null,
});

const MAYBE_TEXT: Schema = { type: ["string", "null"] };
const MAYBE_NUMBER: Schema = { type: ["integer", "null"] };

const ATTEMPT: Schema = {
  type: "object",
  properties: {
    at: { type: "string", format: "date-time" },
    status: { ...MAYBE_NUMBER, description: "Of the answer; null where there was none." },
    duration_ms: { type: "integer" },
    fault: {
      type: ["string", "null"],
      enum: [...FAULTS, null],
      description: "Why there is no answer, or why it did not count.",
    },
  },
  required: ["at", "status", "duration_ms", "fault"],
};

/** Schemas that openapi.json prints by name. */
export const deliverySchemas: Readonly<Record<string, Schema>> = {
  Delivery: {
    type: "object",
    properties: {
      id: { type: "string", description: "The webhook-id, the same on every try." },
      topic: { type: "string" },
      subject_id: { type: "string", description: "What it is about: the id of a pushed lead." },
      status: { type: "string", enum: STATUSES },
      url: { ...MAYBE_TEXT, description: "Where the last attempt went." },
      attempt_count: { type: "integer" },
      last_attempt: { anyOf: [ATTEMPT, { type: "null" }] },
      next_attempt_ts: MAYBE_NUMBER,
      next_attempt_date: MAYBE_TEXT,
      delivered_ts: { ...MAYBE_NUMBER, description: "When it was first taken." },
      delivered_date: MAYBE_TEXT,
      created_ts: { type: "integer" },
      created_date: { type: "string" },
      updated_ts: { type: "integer" },
      updated_date: { type: "string" },
    },
    required: ["id", "topic", "subject_id", "status", "attempt_count", "created_ts", "updated_ts"],
  },
  DeliveryAttempt: {
    ...ATTEMPT,
    properties: {
      ...(ATTEMPT["properties"] as object),
      answer: { ...MAYBE_TEXT, description: "The first 2 KiB of the answer's body." },
    },
  },
};
