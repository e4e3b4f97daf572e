/** What happened to a tenant's records, in one order: the change feed, its stream, event webhooks. */

export { startDispatch } from "./dispatch.ts";
export { describedEvents, eventLanes, eventTopics, type PushedLeadViews } from "./event-topic.ts";
export { readFeed } from "./feed.ts";
export { createChangeFeed, eventSchemas } from "./feed-routes.ts";
export { FOLLOWING, type Follow } from "./follow.ts";
export type { ToStreamEvents } from "./stream.ts";
export { webhookOperations } from "./tenant-webhooks.ts";
export { eventShapes, eventWebhookSchemas } from "./webhook-bodies.ts";
export { eventWebhookOperations } from "./webhook-routes.ts";
export { type EventWebhookDeps } from "./webhook-side.ts";
