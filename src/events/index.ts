/** What happened to a tenant's records, told in one order: the change feed, its stream, event webhooks. */

import { scopeOf, type Caller } from "../access/index.ts";
import type { Operation } from "../platform/operation.ts";
import { eventWebhookOperations, type EventWebhookDeps } from "./webhook-routes.ts";

export { readFeed, type FeedEntry, type FeedPage } from "./feed.ts";
export { startDispatch, type DispatchLoop } from "./dispatch.ts";
export { eventTopics, type PushedLeadViews } from "./event-topic.ts";
export { eventShapes, eventWebhookSchemas } from "./webhook-bodies.ts";
export { eventWebhookOperations, type EventWebhookDeps } from "./webhook-routes.ts";

/** A tenant's own event webhooks. */
export const webhookOperations = (deps: EventWebhookDeps): readonly Operation<Caller>[] =>
  eventWebhookOperations<Caller>(deps, {
    url: "/crm/webhooks",
    idName: "webhook_id",
    word: "event_webhook",
    whose: "The tenant's",
    common: { tag: "event webhooks", permission: "admin" },
    create: deps.shapes.create,
    update: deps.shapes.update,
    scope: scopeOf,
    holder: () => null,
    country: ({ tenant }) => tenant.default_country,
  });
