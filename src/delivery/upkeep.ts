/** Maintenance tasks for deliveries, which the worker performs. */

import sql from "sql-template-tag";
import { SERVICE } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import type { Delivery } from "./deliveries.ts";
import { hasJob, TIMEOUT_MAX_s, type Lanes, type NewJob, type Queue } from "./queue.ts";

/** How long a delivery must be overdue before a missing job is replaced. */
const OVERDUE_s = 120;
const AT_ONCE = 1000;
const DAY_s = 86_400;

export interface RequeueDeps {
  readonly queue: Queue;
  readonly clock: Clock;
  readonly lanes?: Lanes;
}

type Forgotten = Pick<NewJob, "tenantId"> & Pick<Delivery, "id" | "topic" | "subject_id">;

/**
 * Adds jobs for overdue deliveries that have none. Because deliveries are stored in our own tables, they are sent even
 * if the queue has been emptied.
 */
export async function requeueForgotten(
  db: Db,
  { queue, clock, lanes = {} }: RequeueDeps,
): Promise<void> {
  const before_s = epochSeconds(clock) - OVERDUE_s;
  await transaction(db, async (tx) => {
    const forgotten = await run<Forgotten[]>(tx)`
      select tenant_id as "tenantId", id, topic, subject_id from deliveries d
       where status = 'pending' and next_at < to_timestamp(${before_s})
         and tenant_id not in (select id from tenants where is_suspended)
         and not ${hasJob(sql`d.id`)}
       order by next_at limit ${AT_ONCE}`;
    const jobs: NewJob[] = [];
    for (const { tenantId, id: deliveryId, topic, subject_id } of forgotten) {
      const lane = await lanes[topic]?.({ db: tx, tenantId, actor: SERVICE }, subject_id);
      jobs.push({ tenantId, deliveryId, after_s: 0, timeout_s: TIMEOUT_MAX_s, lane });
    }
    if (jobs.length > 0) await queue.add(tx, jobs);
  });
}

/**
 * Deletes a batch of deliveries that ended more than `days` days ago, with their attempts. Returns whether there were
 * any to delete.
 */
export async function deleteOldDeliveries(
  db: Db,
  { clock, days }: { readonly clock: Clock; readonly days: number },
): Promise<boolean> {
  const before_s = epochSeconds(clock) - days * DAY_s;
  const { count } = await run(db)`
    with ended as (
      select tenant_id, id from deliveries
       where status <> 'pending' and updated_ts < ${before_s} order by updated_ts limit ${AT_ONCE})
    delete from deliveries d using ended e
     where d.tenant_id = e.tenant_id and d.id = e.id
       and d.status <> 'pending' and d.updated_ts < ${before_s}`;
  return count > 0;
}
