/**
 * The worker's loop that queues events. For each webhook that is behind, it reads a batch of the tenant's changes after
 * the webhook's position. The deliveries and the new position are committed together. Even if the process is killed at
 * any point, a delivery therefore exists if and only if the webhook's position is past the event.
 */

import sql from "sql-template-tag";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import pMap from "p-map";
import type { Logger } from "pino";
import { SERVICE, type Scope, type TenantId, type Horizon } from "../audit/index.ts";
import { countOpen, type Loop } from "../delivery/index.ts";
import { columns, run, transaction } from "../platform/database/index.ts";
import { isUnavailable } from "../platform/failed-statements/index.ts";
import { tracedJob } from "../platform/admission/index.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import { EVENT } from "./event-types.ts";
import { readFeed, RETENTION_s, type FeedEntry } from "./feed.ts";
import {
  eventsToSend,
  FilterTooSlow,
  enqueueEvents,
  SUBSCRIBER_COLUMNS,
  type EnqueueDeps,
  type Subscriber,
  unlessTooSlow,
} from "./enqueue-events.ts";
import { createReplays } from "./replay.ts";

export interface DispatchDeps extends EnqueueDeps {
  readonly horizon: Pick<Horizon, "settled">;
  readonly log: Logger;
  /** If set, a trace is created for each batch of events. */
  readonly tracing?: Tracing | undefined;
}

/**
 * Delay between checks for settled changes. It accounts for most of the time from a change until its event is queued.
 */
const POLL_ms = 200;
const AFTER_FAILURE_ms = 2000;
/**
 * How often the loop checks all webhooks, even if no change has settled, because another worker may have failed to
 * queue a batch.
 */
const POLL_ALL_ms = 2000;
/** Maximum number of changes per webhook in a batch. */
const BATCH = 200;
/** Maximum number of webhooks processed concurrently. */
const AT_ONCE = 4;
/**
 * Maximum number of pending deliveries per webhook. At this limit, no further events are queued for the time being.
 * They can be derived from the change log later, so they need no additional space, even if the receiver is down for a
 * long time.
 */
export const OPEN_MAX = 10_000;

interface Behind {
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Starts to queue the events of settled changes and of replays. */
export function startDispatch(deps: DispatchDeps): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const queueOnce = createQueueing(deps);
  const replay = createReplays(deps);
  /** Runs a task repeatedly: again immediately if there is more to do, and otherwise after a delay. */
  const repeat = async (work: () => Promise<boolean>): Promise<void> => {
    while (!signal.aborted) {
      let pause_ms = POLL_ms;
      try {
        if (await work()) pause_ms = 0;
      } catch (error) {
        deps.log.warn({ err: error }, "Could not queue events; retrying");
        pause_ms = AFTER_FAILURE_ms;
      }
      if (pause_ms > 0) await delay(pause_ms, undefined, { signal }).catch(() => undefined);
    }
  };
  // New events and replays are queued concurrently, so that replays do not delay new events.
  const done = Promise.all([repeat(() => queueOnce(signal)), repeat(replay)]);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/**
 * Creates the function that queues one batch of pending events per webhook. It returns whether there is more to do. If
 * no change has settled since the last call, it returns without checking the webhooks.
 */
function createQueueing(deps: DispatchDeps): (signal: AbortSignal) => Promise<boolean> {
  const { db, horizon } = deps;
  let doneUpTo = -1;
  let polled_ms = -Infinity;
  return async (signal) => {
    const [any] = await run(db.sql)`select from event_webhooks where enabled limit 1`;
    if (any === undefined) return false;
    const { seq: upTo } = await horizon.settled({ maxAge_ms: POLL_ms / 2 });
    if (upTo === doneUpTo && performance.now() - polled_ms < POLL_ALL_ms) return false;
    polled_ms = performance.now();
    const behind = await findBehind(deps, upTo);
    const hasMore = await queueAll(deps, behind, upTo, signal);
    if (!hasMore) doneUpTo = upTo;
    return hasMore;
  };
}

/**
 * Returns webhooks that have unprocessed changes of subscribed types up to `upTo`, except the webhooks of suspended
 * tenants.
 */
const findBehind = ({ db }: DispatchDeps, upTo: number): Promise<readonly Behind[]> =>
  run<Behind[]>(db.sql)`
    select w.tenant_id as "tenantId", w.id from event_webhooks w
     where w.enabled and w.position < ${upTo}
       and w.tenant_id not in (select id from tenants where is_suspended)
       and exists (select from changes c
                    where c.tenant_id = w.tenant_id and c.subject_type = any(w.subject_types)
                      and c.seq > w.position and c.seq <= ${upTo})`;

/** Queues a batch for each webhook. Returns whether any webhook has more events. */
async function queueAll(
  deps: DispatchDeps,
  behind: readonly Behind[],
  upTo: number,
  signal: AbortSignal,
): Promise<boolean> {
  const passed = await pMap(
    behind,
    async (one) => !signal.aborted && (await queueWebhook(deps, one, upTo)),
    { concurrency: AT_ONCE },
  );
  return passed.includes(true);
}

/** Queues a batch for one webhook. Logs failures instead of throwing, so that they do not delay other webhooks. */
const queueWebhook = (deps: DispatchDeps, one: Behind, upTo: number): Promise<boolean> =>
  unlessTooSlow(deps, one, async () => {
    try {
      const about = { "leadport.tenant": one.tenantId, "leadport.webhook": one.id };
      return await tracedJob(deps.tracing, "queue events", about, () =>
        queueBatch(deps, one, upTo),
      );
    } catch (error) {
      if (isUnavailable(error) || error instanceof FilterTooSlow) throw error;
      deps.log.error({ err: error, webhook: one.id }, "Cannot queue the events of a webhook");
      return false;
    }
  });

/**
 * Queues a webhook's next events. Returns whether there may be more. The events are determined before the webhook's row
 * is locked, and are discarded if the webhook has changed in the meantime.
 */
async function queueBatch(
  deps: DispatchDeps,
  { tenantId, id }: Behind,
  upTo: number,
): Promise<boolean> {
  const { sql: db } = deps.db;
  const asking = { db, tenantId, actor: SERVICE };
  const webhook = await findSubscriber(asking, id, { lock: false });
  if (webhook === undefined) return false;
  if ((await countOpen(asking, { topic: EVENT, subject: id }, OPEN_MAX)) === OPEN_MAX) return false;
  const { position: after, subject_types: types } = webhook;
  const { entries, reached } = await readFeed(asking, { after, upTo, types, limit: BATCH });
  const retained = entries.filter((entry) => isRetained(entry, deps.clock.now_ms()));
  const events = await eventsToSend(asking, deps, webhook, retained);
  return transaction(db, async (tx) => {
    const scope = { ...asking, db: tx };
    const locked = await findSubscriber(scope, id, { lock: true });
    // Another worker is processing the webhook, or the webhook has been disabled.
    if (locked === undefined) return false;
    // Another worker has already processed these changes, or the webhook's settings were changed.
    if (!isDeepStrictEqual(locked, webhook)) return true;
    await enqueueEvents(scope, deps, webhook, events);
    await run(tx)`
      update event_webhooks set position = ${reached}
       where tenant_id = ${tenantId} and id = ${id}`;
    return reached < upTo;
  });
}

const isRetained = ({ at }: FeedEntry, now_ms: number): boolean =>
  Date.parse(at) > now_ms - RETENTION_s * 1000;

type Positioned = Subscriber & { readonly position: number };

/** Returns an enabled webhook. With `lock`, also locks it, and returns undefined if another worker holds the lock. */
async function findSubscriber(
  { db, tenantId }: Scope,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<Positioned | undefined> {
  const [row] = await run<[Positioned?]>(db)`
    select ${columns(SUBSCRIBER_COLUMNS)}, w.position
      from event_webhooks w join tenants n on n.id = w.tenant_id
     where w.tenant_id = ${tenantId} and w.id = ${id} and w.enabled and not n.is_suspended
       ${lock ? sql`for update of w skip locked` : sql``}`;
  return row;
}
