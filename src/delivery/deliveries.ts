/** Reads stored deliveries and formats them for responses. */

import sql from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { firstIdAt } from "../platform/ids/index.ts";
import type { Given, Parameters } from "../platform/validation/index.ts";
import {
  CREATED_TS,
  described,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
  UPDATED_TS,
  type Stored,
  withDates,
} from "../platform/schemas/index.ts";
import {
  type Page,
  PAGE_PARAMETERS,
  pageOf,
  queryError,
  sliceOf,
} from "../platform/paging/index.ts";
import { run } from "../platform/database/index.ts";
import { ATTEMPT, ATTEMPT_COLUMNS, readAttempts, type ShownAttempt } from "./attempts.ts";
import { type About, DESCRIPTION } from "./description.ts";

export const STATUSES = ["pending", "delivered", "failed", "gone"] as const;
export type Status = (typeof STATUSES)[number];

const STRING = { type: "string" } as const;

/** The members of a delivery in responses. */
const DELIVERY = {
  id: string("The id of the delivery, which every attempt sends as `webhook-id`."),
  topic: string("`event`, or `lead.imported` for the import webhook."),
  subject_id: string(
    "For the topic `lead.imported`, the id of the pushed lead. For the topic `event`, the " +
      "ids of the webhook and the change, and the event.",
  ),
  status: string("The status of the delivery.", { enum: STATUSES }),
  url: nullable(string("The URL of the last attempt.")),
  attempt_count: integer("The number of attempts."),
  last_attempt: described(
    { anyOf: [objectSchema(ATTEMPT), { type: "null" }] },
    "The last attempt; null if there has been none.",
  ),
  next_attempt_ts: nullable(
    integer("When the next attempt is due, in epoch seconds; null if there is none."),
  ),
  next_attempt_date: nullable(STRING),
  delivered_ts: nullable(integer("When the endpoint first accepted it.")),
  delivered_date: nullable(STRING),
  created_ts: CREATED_TS,
  created_date: STRING,
  updated_ts: UPDATED_TS,
  updated_date: STRING,
} as const satisfies Schemas;

export interface ShownDelivery extends Members<typeof DELIVERY> {}

/**
 * The schema of a delivery in openapi.json. The members of DESCRIPTION are optional, because the deliveries in a pushed
 * lead do not have them.
 */
export const DELIVERY_SCHEMA = objectSchema({ ...DELIVERY, ...DESCRIPTION }, [
  "id",
  "topic",
  "subject_id",
  "status",
  "attempt_count",
  "created_ts",
  "updated_ts",
]);

/** The columns of a delivery that determine its next steps. */
export interface Delivery {
  readonly id: string;
  readonly topic: string;
  readonly subject_id: string;
  readonly status: Status;
  readonly attempts: number;
  /** The number of attempts since the delivery was queued or last resent. */
  readonly tries: number;
  readonly delivered_ts: number | null;
  /** The contents of attempts that started before this time are not stored, because they may include erased data. */
  readonly cleared_until_ms: number | null;
}

/** Finds a delivery. With `lock`, locks it for the rest of the transaction. */
export async function findDelivery(
  { db, tenantId }: Scope,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<Delivery | undefined> {
  const [row] = await run<[Delivery?]>(db)`
    select id, topic, subject_id, status, attempts, tries, delivered_ts, cleared_until_ms
      from deliveries where tenant_id = ${tenantId} and id = ${id}
      ${lock ? sql`for update` : sql``}`;
  return row;
}

export const LIST_PARAMETERS = {
  status: { kind: "choice", of: STATUSES, description: "The current status." },
  topic: { kind: "text", max: 100, description: "`event` or `lead.imported`." },
  start_date: {
    kind: "instant",
    description: "Start of the creation time range (inclusive), in UTC.",
  },
  end_date: { kind: "instant", description: "End of the creation time range (inclusive), in UTC." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

/** Parameters that only the list of all deliveries has. */
export const filterParameters = (events: readonly string[]) =>
  ({
    event: { kind: "choice", of: events, description: "The event, for example `lead.created`." },
    webhook_id: {
      kind: "text",
      max: 100,
      description: "The id of an event webhook, including a partner's, or `import_webhook`.",
    },
    record_id: {
      kind: "text",
      max: 100,
      description: "The id of the record or pushed lead that the event is about.",
    },
  }) as const satisfies Parameters;

export type ListQuery = Partial<
  Given<typeof LIST_PARAMETERS & ReturnType<typeof filterParameters>>
>;

/** Selects deliveries with their last attempt. */
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

/** These conditions must match the index's expressions, so that PostgreSQL uses the index. */
const isAbout = ({ topic, subject }: About) =>
  subject === undefined
    ? sql`d.topic = ${topic}`
    : sql`d.topic = ${topic} and split_part(d.subject_id, '.', 1) = ${subject}`;

/**
 * Maximum difference between `created_ts` and the time in the id. The two differ if a clock is set back, because ids
 * never decrease. Date filters allow for this difference, so they can use the id index instead of a separate index on
 * dates.
 */
const APART_s = 3600;

const createdFrom = (at_s: number) =>
  sql`and d.created_ts >= ${at_s} and d.id >= ${firstIdAt(at_s - APART_s)}`;
const createdUpTo = (at_s: number) =>
  sql`and d.created_ts <= ${at_s} and d.id < ${firstIdAt(at_s + 1 + APART_s)}`;

/** Returns a page of deliveries, newest first. Throws 422 for contradictory parameters. */
export async function listDeliveries(
  { db, tenantId }: Scope,
  query: ListQuery,
  about?: About,
): Promise<Page<ShownDelivery>> {
  const { status, topic, event, record_id, start_date, end_date } = query;
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
       ${event === undefined ? sql`` : sql`and d.event = ${event}`}
       ${record_id === undefined ? sql`` : sql`and d.record_id = ${record_id}`}
       ${start_date === undefined ? sql`` : createdFrom(start_date)}
       ${end_date === undefined ? sql`` : createdUpTo(end_date)}
       ${slice.before === undefined ? sql`` : sql`and d.id < ${slice.before}`}
     order by d.id desc
     limit ${slice.limit} offset ${slice.offset}`;
  return pageOf(rows.map(withDates), slice);
}

/** Returns a delivery with all its attempts, oldest first; undefined if it does not exist. */
export async function readDelivery(
  scope: Scope,
  id: string,
): Promise<(ShownDelivery & { readonly attempts: readonly ShownAttempt[] }) | undefined> {
  const { db, tenantId } = scope;
  const [row] = await run<StoredDelivery[]>(db)`
    ${DELIVERIES} where d.tenant_id = ${tenantId} and d.id = ${id}`;
  if (row === undefined) return undefined;
  const attempts = await readAttempts(scope, id);
  return { ...withDates(row), attempts };
}

/** Returns the number of pending deliveries, up to `most`. */
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

/**
 * Returns a delivery of a topic for each of the given subjects: the pending one, otherwise the one that was accepted
 * last, otherwise the newest.
 */
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
     order by d.status = 'pending', d.delivered_ts nulls first, d.id`;
  // The last row of each subject remains.
  return new Map(rows.map((row) => [row.subject_id, withDates(row)]));
}
