/**
 * The worker's loop that promises events: for each webhook that is behind, a batch of the tenant's
 * changes after its position. Promises and position commit together, so a delivery exists if and only
 * if its event was passed over, whatever is killed in between.
 */

import sql from "sql-template-tag";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import pMap from "p-map";
import type { Logger } from "pino";
import { SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { countOpen, type Loop } from "../delivery/index.ts";
import {
  columns,
  type Horizon,
  isUnavailable,
  run,
  transaction,
} from "../platform/database/index.ts";
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
  readonly horizon: Horizon;
  readonly log: Logger;
  /** Each batch of a webhook has a trace; none without it. */
  readonly tracing?: Tracing | undefined;
}

/** Between two looks for settled changes: most of what an event waits before it is queued. */
const LOOK_ms = 200;
const AFTER_FAILURE_ms = 2000;
/** After so long it looks although nothing was settled: another worker may have failed at a batch. */
const LOOK_AGAIN_ms = 2000;
/** Changes read at a time for a webhook. */
const BATCH = 200;
/** Webhooks at a time. */
const AT_ONCE = 4;
/**
 * Deliveries of a webhook that may be open before more are queued. What comes after them waits in
 * the log of changes, where it costs nothing, however long its receiver is away.
 */
export const OPEN_MAX = 10_000;

/** A webhook with changes after its position. */
interface Behind {
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Starts to queue events as they are settled, and to replay what is asked for. */
export function startDispatch(deps: DispatchDeps): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const [look, replay] = [createLook(deps), createReplays(deps)];
  /** Does a piece of work after the other while there is any, and looks for it from time to time. */
  const repeat = async (work: () => Promise<boolean>): Promise<void> => {
    while (!signal.aborted) {
      let pause_ms = LOOK_ms;
      try {
        if (await work()) pause_ms = 0;
      } catch (error) {
        deps.log.warn({ err: error }, "Events could not be promised; it is tried again");
        pause_ms = AFTER_FAILURE_ms;
      }
      if (pause_ms > 0) await delay(pause_ms, undefined, { signal }).catch(() => undefined);
    }
  };
  // Side by side: a replay delays no new events.
  const done = Promise.all([repeat(() => look(signal)), repeat(replay)]);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** One look; whether there is more to do at once. Asks little where no position was settled. */
function createLook(deps: DispatchDeps): (signal: AbortSignal) => Promise<boolean> {
  const { db, horizon } = deps;
  let [doneUpTo, looked_ms] = [-1, -Infinity];
  return async (signal) => {
    const [any] = await db.sql`select from event_webhooks where enabled limit 1`;
    if (any === undefined) return false;
    const { seq: upTo } = await horizon.settled({ maxAge_ms: LOOK_ms / 2 });
    if (upTo === doneUpTo && performance.now() - looked_ms < LOOK_AGAIN_ms) return false;
    looked_ms = performance.now();
    const behind = await findBehind(deps, upTo);
    const hasMore = await passAll(deps, behind, upTo, signal);
    if (!hasMore) doneUpTo = upTo;
    return hasMore;
  };
}

/** The webhooks of all tenants that have changes of their types to send, up to a settled position. */
const findBehind = ({ db }: DispatchDeps, upTo: number): Promise<readonly Behind[]> =>
  run<Behind[]>(db.sql)`
    select w.tenant_id as "tenantId", w.id from event_webhooks w
     where w.enabled and w.position < ${upTo}
       and exists (select from changes c
                    where c.tenant_id = w.tenant_id and c.subject_type = any(w.subject_types)
                      and c.seq > w.position and c.seq <= ${upTo})`;

/** A batch for each of them; whether any has more. */
async function passAll(
  deps: DispatchDeps,
  behind: readonly Behind[],
  upTo: number,
  signal: AbortSignal,
): Promise<boolean> {
  const passed = await pMap(
    behind,
    async (one) => !signal.aborted && (await passOne(deps, one, upTo)),
    { concurrency: AT_ONCE },
  );
  return passed.includes(true);
}

/** One webhook's fault delays no other one. */
const passOne = (deps: DispatchDeps, one: Behind, upTo: number): Promise<boolean> =>
  unlessTooSlow(deps, one, async () => {
    try {
      const about = { "leadport.tenant": one.tenantId, "leadport.webhook": one.id };
      return await tracedJob(deps.tracing, "queue events", about, () => passBatch(deps, one, upTo));
    } catch (error) {
      if (isUnavailable(error) || error instanceof FilterTooSlow) throw error;
      deps.log.error({ err: error, webhook: one.id }, "A webhook's events cannot be promised");
      return false;
    }
  });

/**
 * The next changes of a webhook; whether there may be more. What its events are is asked first, and only
 * then its row is locked: if it has not moved since, the promises are those of its position.
 */
async function passBatch(
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
  const young = entries.filter((entry) => isYoung(entry, deps.clock.now_ms()));
  const events = await eventsToSend(asking, deps, webhook, young);
  return transaction(db, async (tx) => {
    const scope = { ...asking, db: tx };
    const locked = await findSubscriber(scope, id, { lock: true });
    // Another worker has it, or it was switched off.
    if (locked === undefined) return false;
    // Another worker has passed these changes, or the webhook gets other events now.
    if (!isDeepStrictEqual(locked, webhook)) return true;
    await enqueueEvents(scope, deps, webhook, events);
    await run(tx)`
      update event_webhooks set position = ${reached}
       where tenant_id = ${tenantId} and id = ${id}`;
    return reached < upTo;
  });
}

const isYoung = ({ at }: FeedEntry, now_ms: number): boolean =>
  Date.parse(at) > now_ms - RETENTION_s * 1000;

type Positioned = Subscriber & { readonly position: number };

/** A webhook that is switched on; locked if asked for, unless another worker has locked it. */
async function findSubscriber(
  { db, tenantId }: Scope,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<Positioned | undefined> {
  const [row] = await run<[Positioned?]>(db)`
    select ${columns(SUBSCRIBER_COLUMNS)}, w.position
      from event_webhooks w join tenants n on n.id = w.tenant_id
     where w.tenant_id = ${tenantId} and w.id = ${id} and w.enabled
       ${lock ? sql`for update of w skip locked` : sql``}`;
  return row;
}
