/** Maintenance tasks for deliveries, which the worker performs. */

import { epochSeconds, type Clock } from "../platform/clock/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { TIMEOUT_MAX_s, type NewJob, type Queue } from "./queue.ts";

/** If a delivery has been overdue for this long, it has either lost its job or is waiting behind many others. */
const OVERDUE_s = 120;
const AT_ONCE = 1000;
const DAY_s = 86_400;

/**
 * Adds jobs for overdue deliveries that have none. Because deliveries are stored in our own tables, they are sent even
 * if the queue has been emptied.
 */
export async function requeueForgotten(db: Db, queue: Queue, clock: Clock): Promise<void> {
  const before_s = epochSeconds(clock) - OVERDUE_s;
  await transaction(db, async (tx) => {
    const rows = await run<Pick<NewJob, "tenantId" | "deliveryId">[]>(tx)`
      select tenant_id as "tenantId", id as "deliveryId" from deliveries
       where status = 'pending' and next_at < to_timestamp(${before_s})
         and tenant_id not in (select id from tenants where is_suspended)
       order by next_at limit ${AT_ONCE}`;
    if (rows.length === 0) return;
    await queue.add(
      tx,
      rows.map((row) => ({ ...row, after_s: 0, timeout_s: TIMEOUT_MAX_s })),
    );
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
