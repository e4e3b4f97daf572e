/** A tenant's own event webhooks. */

import { scopeOf, type Caller } from "../access/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import { eventWebhookOperations } from "./webhook-routes.ts";
import { type EventWebhookDeps } from "./webhook-side.ts";

const record = (id: string) => ({ _id: id, id, name: "Leadport test" });

/** The operations of a tenant on its own webhooks. */
export const webhookOperations = (deps: EventWebhookDeps): readonly Operation<Caller>[] =>
  eventWebhookOperations<Caller>(deps, {
    url: "/crm/webhooks",
    idName: "webhook_id",
    word: "event_webhook",
    whose: "The tenant's",
    common: { tag: "event webhooks", permission: "admin" },
    create: deps.shapes.create,
    update: deps.shapes.update,
    trial: { schema: { $ref: "CalloutTest#" }, showsBody: true, record },
    filters: true,
    scope: (db, caller) => ({ ...scopeOf(db, caller), holder: null }),
    country: ({ tenant }) => tenant.default_country,
  });
