/** Queues deliveries and waits for their outcomes. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { readDelivery, type ShownDelivery } from "./deliveries.ts";
import type { Lane, Queue } from "./queue.ts";

export interface EnqueueDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly queue: Queue;
}

/** The event and the record of a delivery. Lists of deliveries can be filtered by both. */
export interface Subject {
  readonly subject_id: string;
  readonly event?: string;
  /** The record that the event is about. */
  readonly record_id?: string;
}

export interface NewDelivery extends Subject {
  readonly topic: string;
  /** Timeout of the first attempt. */
  readonly timeout_s: number;
}

/**
 * Queues a delivery, due immediately, and returns its id. Requires a `Tx`, so that the delivery commits together with
 * the change it reports. Throws 409 with `existing_id` if the topic already has a pending delivery for the subject.
 */
export async function enqueue(
  { db, tenantId }: Scope<Tx>,
  { clock, makeId, queue }: EnqueueDeps,
  { topic, subject_id, event, record_id, timeout_s }: NewDelivery,
): Promise<string> {
  const id = makeId();
  const now_s = epochSeconds(clock);
  const made = await run(db)`
    insert into deliveries (tenant_id, id, topic, subject_id, event, record_id, status, attempts, tries,
                            next_at, created_ts, updated_ts)
    values (${tenantId}, ${id}, ${topic}, ${subject_id}, ${event ?? null}, ${record_id ?? null},
            'pending', 0, 0, to_timestamp(${now_s}), ${now_s}, ${now_s})
    on conflict (tenant_id, topic, subject_id) where status = 'pending' do nothing`;
  if (made.count === 0) {
    await refuseOpen({ db, tenantId }, { topic, subject_id });
    throw new AppError("conflict");
  }
  await queue.add(db, [{ tenantId, deliveryId: id, after_s: 0, timeout_s }]);
  return id;
}

/** Deliveries of one topic for several subjects. */
export interface NewDeliveries extends Pick<NewDelivery, "topic" | "timeout_s"> {
  readonly subjects: readonly Subject[];
  readonly lane: Lane;
}

/**
 * Queues a delivery for each subject, due immediately. Skips subjects that already have a pending
 * delivery. Returns the number of new deliveries.
 */
export async function enqueueAll(
  { db, tenantId }: Scope<Tx>,
  { clock, makeId, queue }: EnqueueDeps,
  { topic, subjects, timeout_s, lane }: NewDeliveries,
): Promise<number> {
  if (subjects.length === 0) return 0;
  const ids = subjects.map(() => makeId());
  const each = (name: keyof Subject) => subjects.map((subject) => subject[name] ?? null);
  const now_s = epochSeconds(clock);
  const made = await run<{ id: string }[]>(db)`
    insert into deliveries (tenant_id, id, topic, subject_id, event, record_id, status, attempts, tries,
                            next_at, created_ts, updated_ts)
    select ${tenantId}::uuid, g.id, ${topic}, g.subject_id, g.event, g.record_id, 'pending', 0, 0,
           to_timestamp(${now_s}::bigint), ${now_s}::bigint, ${now_s}::bigint
      from unnest(${ids}::text[], ${each("subject_id")}::text[], ${each("event")}::text[],
                  ${each("record_id")}::text[]) as g(id, subject_id, event, record_id)
    on conflict (tenant_id, topic, subject_id) where status = 'pending' do nothing
    returning id`;
  const jobs = made.map(({ id }) => ({ tenantId, deliveryId: id, after_s: 0, timeout_s, lane }));
  if (jobs.length > 0) await queue.add(db, jobs);
  return jobs.length;
}

export const STILL_OPEN = "Another delivery of the same event or lead is still pending";

/** Throws 409 with `existing_id` if the topic already has a pending delivery for the subject. */
export async function refuseOpen(
  { db, tenantId }: Pick<Scope, "db" | "tenantId">,
  { topic, subject_id }: Pick<NewDelivery, "topic" | "subject_id">,
): Promise<void> {
  const [open] = await run<{ id: string }[]>(db)`
    select id from deliveries
     where tenant_id = ${tenantId} and topic = ${topic} and subject_id = ${subject_id}
       and status = 'pending'`;
  if (open === undefined) return;
  throw new AppError("conflict", { detail: STILL_OPEN, members: { existing_id: open.id } });
}

/** Delay between checks of a delivery that a caller is waiting for. */
const POLL_ms = 25;
const POLL_MAX_ms = 250;

/**
 * Waits until a delivery has been attempted by any process, the delivery has ended, or `within_ms` have passed. Returns
 * the delivery, or undefined if it does not exist.
 */
export async function firstOutcome(
  scope: Scope<Db>,
  id: string,
  within_ms: number,
): Promise<ShownDelivery | undefined> {
  for (let waited_ms = 0, pause_ms = POLL_ms; ; pause_ms = Math.min(pause_ms * 1.5, POLL_MAX_ms)) {
    const delivery = await readDelivery(scope, id);
    const isTried = delivery?.status !== "pending" || delivery.attempt_count !== 0;
    if (isTried || waited_ms >= within_ms) return delivery;
    await sleep(pause_ms);
    waited_ms += pause_ms;
  }
}
