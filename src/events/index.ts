/**
 * Everything that happened to a tenant's records, in one order: the change feed, its stream, and
 * event webhooks.
 */

export { startDispatch } from "./dispatch.ts";
export { enqueueEvents } from "./enqueue-events.ts";
export {
  describedEvents,
  eventLanes,
  eventTopics,
  type PushedLeadViews,
  subjectOf,
} from "./event-topic.ts";
export { eventsOf, isSubscribed, subjectTypesOf } from "./event-types.ts";
export { ERASED, type FeedEntry, PERSON_ERASURE, readFeed } from "./feed.ts";
export { createChangeFeed, eventSchemas } from "./feed-routes.ts";
export { FOLLOWING, type Follow } from "./follow.ts";
export type { ToStreamEvents } from "./stream.ts";
export { webhookOperations } from "./tenant-webhooks.ts";
export { eventShapes, eventWebhookSchemas } from "./webhook-bodies.ts";
export { eventWebhookOperations } from "./webhook-routes.ts";
export { createWebhook } from "./webhooks.ts";
export { type EventWebhookDeps } from "./webhook-side.ts";
