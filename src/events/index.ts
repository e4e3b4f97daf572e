/** All changes to a tenant's records, in a single order: the change feed, its stream, and event webhooks. */

import { scopeOf, type Caller } from "../access/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import { RECORD_TYPES, sampleRecord } from "../records/index.ts";
import { PUSHED_LEAD } from "./feed.ts";
import { eventWebhookOperations } from "./webhook-routes.ts";
import type { EventWebhookDeps } from "./webhook-side.ts";

export { startDispatch } from "./dispatch.ts";
export { enqueueEvents } from "./enqueue-events.ts";
export {
  describedEvents,
  eventLanes,
  eventTopics,
  type PushedLeadViews,
  subjectOf,
} from "./event-topic.ts";
export { type DescribedEvent, describedEventNames, payloadSchemas } from "./event-schemas.ts";
export { eventsOf, isSubscribed, subjectTypesOf } from "./event-types.ts";
export { ERASED, type FeedEntry, PERSON_ERASURE, PUSHED_LEAD, readFeed } from "./feed.ts";
export { createChangeFeed, eventSchemas } from "./feed-routes.ts";
export { FOLLOWING, type Follow } from "./follow.ts";
export type { ToStreamEvents } from "./stream.ts";
export { eventShapes, eventWebhookSchemas } from "./webhook-bodies.ts";
export { eventWebhookOperations } from "./webhook-routes.ts";
export { createWebhook } from "./webhooks.ts";
export { type EventWebhookDeps } from "./webhook-side.ts";

/** Returns the operations with which a tenant manages its own webhooks. */
export const webhookOperations = (deps: EventWebhookDeps): readonly Operation<Caller>[] =>
  eventWebhookOperations<Caller>(deps, {
    url: "/crm/webhooks",
    idName: "webhook_id",
    word: "event_webhook",
    common: { tag: "event webhooks", permission: "admin" },
    create: deps.shapes.create,
    update: deps.shapes.update,
    trial: {
      schema: { $ref: "CalloutTest#" },
      showsBody: true,
      record: (id, type) =>
        type === PUSHED_LEAD
          ? deps.pushed.sample(id)
          : sampleRecord(RECORD_TYPES[type], id, epochSeconds(deps.clock)),
    },
    filters: true,
    scope: (db, caller) => ({ ...scopeOf(db, caller), owner: null }),
    country: ({ tenant }) => tenant.default_country,
  });
