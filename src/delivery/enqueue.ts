/** Queueing a delivery, sending one again, and waiting for its outcome. */

import { setTimeout as sleep } from "node:timers/promises";
import { logChange, type Scope } from "../audit/index.ts";
import { type Clock, epochSeconds, type MakeId } from "../platform/clock/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { findDelivery, readDelivery, type ShownDelivery } from "./deliveries.ts";
import { TIMEOUT_MAX_s, type Lane, type Queue } from "./queue.ts";

export interface EnqueueDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly queue: Queue;
}

export interface NewDelivery {
  readonly topic: string;
  readonly subject_id: string;
  /** The most that its first attempt may take. */
  readonly timeout_s: number;
}

/**
 * Queues a delivery, due at once, and returns its id. It takes a `Tx`, so the delivery commits or
 * vanishes with the change it tells of. Throws a 409 with `existing_id` where a delivery of the topic
 * about the subject is still open.
 */
export async function enqueue(
  { db, tenantId }: Scope<Tx>,
  { clock, makeId, queue }: EnqueueDeps,
  { topic, subject_id, timeout_s }: NewDelivery,
): Promise<string> {
  const id = makeId();
  const now_s = epochSeconds(clock);
  const made = await run(db)`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries,
                            next_at, created_ts, updated_ts)
    values (${tenantId}, ${id}, ${topic}, ${subject_id}, 'pending', 0, 0,
            to_timestamp(${now_s}), ${now_s}, ${now_s})
    on conflict (tenant_id, topic, subject_id) where status = 'pending' do nothing`;
  if (made.count === 0) {
    await refuseOpen({ db, tenantId }, { topic, subject_id });
    throw new AppError("conflict");
  }
  await queue.add(db, [{ tenantId, deliveryId: id, after_s: 0, timeout_s }]);
  return id;
}

/** Deliveries of one topic about many subjects. */
export interface NewDeliveries extends Omit<NewDelivery, "subject_id"> {
  readonly subject_ids: readonly string[];
  readonly lane: Lane;
}

/**
 * Promises a delivery about each of the subjects, due at once, and answers how many it made: about a
 * subject of which one is still open there is none, as that one arrives.
 */
export async function enqueueAll(
  { db, tenantId }: Scope<Tx>,
  { clock, makeId, queue }: EnqueueDeps,
  { topic, subject_ids, timeout_s, lane }: NewDeliveries,
): Promise<number> {
  if (subject_ids.length === 0) return 0;
  const ids = subject_ids.map(() => makeId());
  const now_s = epochSeconds(clock);
  const made = await run<{ id: string }[]>(db)`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries,
                            next_at, created_ts, updated_ts)
    select ${tenantId}::uuid, g.id, ${topic}, g.subject_id, 'pending', 0, 0,
           to_timestamp(${now_s}::bigint), ${now_s}::bigint, ${now_s}::bigint
      from unnest(${ids}::text[], ${subject_ids}::text[]) as g(id, subject_id)
    on conflict (tenant_id, topic, subject_id) where status = 'pending' do nothing
    returning id`;
  const jobs = made.map(({ id }) => ({ tenantId, deliveryId: id, after_s: 0, timeout_s, lane }));
  if (jobs.length > 0) await queue.add(db, jobs);
  return jobs.length;
}

/** Throws a 409 with `existing_id` where a delivery of the topic about the subject is still open. */
export async function refuseOpen(
  { db, tenantId }: Pick<Scope, "db" | "tenantId">,
  { topic, subject_id }: Pick<NewDelivery, "topic" | "subject_id">,
): Promise<void> {
  const [open] = await run<{ id: string }[]>(db)`
    select id from deliveries
     where tenant_id = ${tenantId} and topic = ${topic} and subject_id = ${subject_id}
       and status = 'pending'`;
  if (open === undefined) return;
  const detail = "A delivery about this is still open";
  throw new AppError("conflict", { detail, members: { existing_id: open.id } });
}

export interface ResendDeps extends EnqueueDeps {
  /** In which lane a delivery of a topic goes, by its topic; all others are in none. */
  readonly lanes?: Readonly<Record<string, (scope: Scope, subject_id: string) => Promise<Lane>>>;
}

/**
 * Sends a delivery again under the same id: one that has ended from the start of the schedule, one that
 * is pending at once. Throws 404, and 409 where another one about the same is open.
 */
export async function resend(
  scope: Scope<Tx>,
  { clock, makeId, queue, lanes = {} }: ResendDeps,
  id: string,
): Promise<void> {
  const { db, tenantId } = scope;
  const delivery = await findDelivery(scope, id, { lock: true });
  if (delivery === undefined) throw new AppError("not_found");
  const isPending = delivery.status === "pending";
  const now_s = epochSeconds(clock);
  if (!isPending) await refuseOpen(scope, delivery);
  await run(db)`
    update deliveries set status = 'pending', tries = ${isPending ? delivery.tries : 0},
           next_at = to_timestamp(${now_s}), updated_ts = ${now_s}
     where tenant_id = ${tenantId} and id = ${id}`;
  if (isPending) await queue.hasten(db, id);
  const lane = await lanes[delivery.topic]?.(scope, delivery.subject_id);
  const job = { tenantId, deliveryId: id, after_s: 0, timeout_s: TIMEOUT_MAX_s };
  await queue.add(db, [{ ...job, ...(lane !== undefined && { lane }) }]);
  await logChange(scope, makeId, {
    subjectType: "delivery",
    subjectId: id,
    action: "resent",
    fields: { status: [delivery.status, "pending"] },
  });
}

/** Between two looks at a delivery that is waited for. */
const LOOK_ms = 25;
const LOOK_MAX_ms = 250;

/**
 * Waits until a delivery has been tried or has ended, whichever process tries it, and answers it as it
 * then is: still untried where that takes longer than `within_ms`. Undefined where there is none.
 */
export async function firstOutcome(
  scope: Scope<Db>,
  id: string,
  within_ms: number,
): Promise<ShownDelivery | undefined> {
  for (let waited_ms = 0, look_ms = LOOK_ms; ; look_ms = Math.min(look_ms * 1.5, LOOK_MAX_ms)) {
    const delivery = await readDelivery(scope, id);
    const isTried = delivery?.status !== "pending" || delivery.attempt_count !== 0;
    if (isTried || waited_ms >= within_ms) return delivery;
    await sleep(look_ms);
    waited_ms += look_ms;
  }
}
