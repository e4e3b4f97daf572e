/**
 * Creates deliveries for changes: determines the events of each change, selects the events for a webhook, and queues
 * them.
 */

import { SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { enqueueAll, type Queue, type Subject } from "../delivery/index.ts";
import { onBehalfOfTenant } from "../platform/admission/index.ts";
import { transaction, type Database, type Tx } from "../platform/database/index.ts";
import { isTooCostly } from "../platform/failed-statements/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { matchingIds } from "../records/filter/index.ts";
import type { CountryCode } from "../records/contact-details/index.ts";
import { typeOf } from "../records/types/index.ts";
import { EVENT, eventsOf, isSubscribed, soleTypeOf } from "./event-types.ts";
import { laneOf, subjectOf, TIMEOUT_s, type PushedLeadViews } from "./event-topic.ts";
import type { FeedEntry } from "./feed.ts";
import type { WebhookDeps } from "./webhook-row.ts";
import { disableWebhook } from "./webhooks.ts";

export interface EnqueueDeps extends Pick<WebhookDeps, "clock" | "makeId"> {
  readonly db: Database;
  readonly queue: Queue;
  readonly pushed: PushedLeadViews;
}

/** The webhook settings that determine which events the webhook receives. */
export interface Subscriber {
  readonly id: string;
  readonly partner_id: string | null;
  readonly events: readonly string[];
  readonly subject_types: readonly string[];
  readonly filter: JsonObject | null;
  readonly default_country: CountryCode;
}

/** The columns of a Subscriber, read from `event_webhooks w` and `tenants n`. */
export const SUBSCRIBER_COLUMNS = [
  "w.id",
  "w.partner_id",
  "w.events",
  "w.subject_types",
  "w.filter",
  "n.default_country",
] as const;

/**
 * Thrown if the database cancels the query that checks records against a webhook's filter, because it takes too long.
 */
export class FilterTooSlow extends Error {}

/**
 * Returns the events of these changes that the webhook receives, as delivery subjects. Call it within `unlessTooSlow`
 * and before taking locks, because the query for a filter may run until the database cancels it.
 */
export async function eventsToSend(
  scope: Scope,
  deps: EnqueueDeps,
  webhook: Subscriber,
  entries: readonly FeedEntry[],
): Promise<readonly Subject[]> {
  const wanted = entries.flatMap((entry) => {
    const names = eventsOf(entry).filter((name) => isSubscribed(webhook.events, name));
    return names.length === 0 ? [] : [{ entry, names }];
  });
  const ids = wanted.map(({ entry }) => entry.record_id);
  const isWanted = await createEntryFilter(scope, deps, webhook, ids);
  return wanted
    .filter(({ entry }) => isWanted(entry))
    .flatMap(({ entry: { id, record_id }, names }) =>
      names.map((event) => ({ subject_id: subjectOf(webhook.id, id, event), event, record_id })),
    );
}

/**
 * Runs a task for a webhook. If its filter is too slow, returns false and disables the webhook, unless it has been
 * changed since the task started.
 */
export async function unlessTooSlow(
  deps: EnqueueDeps,
  { tenantId, id }: { readonly tenantId: TenantId; readonly id: string },
  work: () => Promise<boolean>,
): Promise<boolean> {
  const since_ms = deps.clock.now_ms();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FilterTooSlow)) throw error;
    const disabling = { reason: "filter_too_slow", since_ms } as const;
    await transaction(deps.db.sql, (db) =>
      disableWebhook({ db, tenantId, actor: SERVICE }, deps, id, disabling),
    );
    return false;
  }
}

/** Queues a delivery for each event; returns the number of new deliveries. */
export const enqueueEvents = (
  scope: Scope<Tx>,
  deps: Pick<EnqueueDeps, "clock" | "makeId" | "queue">,
  webhook: Pick<Subscriber, "id" | "partner_id">,
  subjects: readonly Subject[],
): Promise<number> =>
  enqueueAll(scope, deps, {
    topic: EVENT,
    subjects,
    timeout_s: TIMEOUT_s,
    lane: laneOf(webhook),
  });

/**
 * Creates a function that checks whether the webhook's owner may see a change and whether the changed record matches
 * the webhook's filter.
 */
async function createEntryFilter(
  scope: Scope,
  { db, pushed }: EnqueueDeps,
  { partner_id, filter, events, default_country }: Subscriber,
  ids: readonly string[],
): Promise<(entry: FeedEntry) => boolean> {
  if (partner_id !== null) {
    const own = await pushed.ofPartner(scope, partner_id, ids);
    return ({ record_id }) => own.has(record_id);
  }
  const name = soleTypeOf(events);
  if (filter === null || name === undefined) return () => true;
  try {
    // Use the pool in which the database enforces a time limit for each query.
    const matching = { type: typeOf(scope, name), filter, country: default_country };
    const lists = { ...scope, db: db.lists };
    const met = await onBehalfOfTenant(scope.tenantId, () => matchingIds(lists, matching, ids));
    return ({ record_id, action }) => met.has(record_id) || isUnfiltered(action);
  } catch (error) {
    throw isTooCostly(error) ? new FilterTooSlow("The filter of a webhook is too slow") : error;
  }
}

/** Whether a change is exempt from filters, because its record no longer exists. */
const isUnfiltered = (action: FeedEntry["action"]): boolean =>
  action === "deleted" || action === "merged";
