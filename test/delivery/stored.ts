/** Deliveries that are already in the database when a test starts. */

import type { Db } from "../../src/platform/database/tx.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { run } from "../../src/platform/database/index.ts";

const makeId = idSource(systemClock());

export interface StoredDelivery {
  readonly topic?: string;
  readonly subject_id?: string;
  readonly event?: string;
  readonly record_id?: string;
  readonly status?: "pending" | "delivered" | "failed" | "gone";
  readonly at_s?: number;
}

/** Stores a delivery that was attempted once, and returns its id. */
export async function makeDelivery(
  sql: Db,
  tenantId: string,
  given: StoredDelivery = {},
): Promise<string> {
  const { topic = "thing.told", subject_id, status = "failed", at_s } = given;
  const { event = null, record_id = null } = given;
  const now_s = at_s ?? Math.floor(Date.now() / 1000);
  const id = at_s === undefined ? makeId() : idSource({ now_ms: () => at_s * 1000 })();
  await run(sql)`
    insert into deliveries (tenant_id, id, topic, subject_id, event, record_id, status, url,
                            attempts, tries, next_at, delivered_ts, created_ts, updated_ts)
    values (${tenantId}, ${id}, ${topic}, ${subject_id ?? id}, ${event}, ${record_id}, ${status},
            'https://example.com/in', 1, 1, ${status === "pending" ? new Date((now_s + 5) * 1000) : null},
            ${status === "delivered" ? now_s : null}, ${now_s}, ${now_s})`;
  await run(sql)`
    insert into delivery_attempts (tenant_id, delivery_id, id, at, status, duration_ms, fault, answer)
    values (${tenantId}, ${id}, ${makeId()}, ${new Date(now_s * 1000)}, 500, 12, null, 'no')`;
  return id;
}
