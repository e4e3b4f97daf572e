/** All changes to a tenant's records, in a single order: the change feed, its stream, and event webhooks. */

import sql from "sql-template-tag";
import { scopeOf, type Caller } from "../access/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { run } from "../platform/database/index.ts";
import type { MeasuredGroup } from "../platform/metrics/index.ts";
import { COUNT_MAX, type Module } from "../platform/modules/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import { sampleRecord } from "../records/schemas/index.ts";
import { typeOf } from "../records/types/index.ts";
import { contributedEventTopic } from "./event-topic.ts";
import { payloadSchemas } from "./event-schemas.ts";
import { EVENT } from "./event-types.ts";
import { PUSHED_LEAD } from "./feed.ts";
import { type ChangeFeed, eventSchemas } from "./feed-routes.ts";
import { eventWebhookSchemas } from "./webhook-bodies.ts";
import { eventWebhookOperations } from "./webhook-routes.ts";
import type { EventWebhookDeps } from "./webhook-side.ts";

export { startDispatch } from "./dispatch.ts";
export { enqueueEvents } from "./enqueue-events.ts";
export { eventTopic, type PushedLeadViews, subjectOf } from "./event-topic.ts";
export { type DescribedEvent, describedEventNames } from "./event-schemas.ts";
export { EVENT, eventsOf, isSubscribed, subjectTypesOf } from "./event-types.ts";
export { ERASED, type FeedEntry, PERSON_ERASURE, PUSHED_LEAD, readFeed } from "./feed.ts";
export { type ChangeFeed, createChangeFeed } from "./feed-routes.ts";
export { FOLLOWING, type Follow } from "./follow.ts";
export type { ToStreamEvents } from "./stream.ts";
export { eventShapes } from "./webhook-bodies.ts";
export { eventWebhookOperations } from "./webhook-routes.ts";
export { createWebhook } from "./webhooks.ts";
export { type EventWebhookDeps } from "./webhook-side.ts";

/** Returns the operations with which a tenant manages its own webhooks. */
const webhookOperations = (deps: EventWebhookDeps): readonly Operation<Caller>[] =>
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
      record: (id, type, { tenant }) =>
        type === PUSHED_LEAD
          ? deps.pushed.sample(id)
          : sampleRecord(typeOf({ tenantId: tenant.id }, type), id, epochSeconds(deps.clock)),
    },
    filters: true,
    scope: (db, caller) => ({ ...scopeOf(db, caller), owner: null }),
    country: ({ tenant }) => tenant.default_country,
  });

/** The change feed and its stream. */
export const feedModule = {
  name: "events",
  imports: ["audit", "access", "records", "delivery"],
  operations: ({ feed }: { readonly feed: ChangeFeed }) => ({ tenants: feed.operations }),
  schemas: () => eventSchemas,
  tags: { changes: "The change feed: every change to the tenant's records, in order." },
} satisfies Module;

const WEBHOOKS_MAX = 1_000;
const WEBHOOK_METRICS: MeasuredGroup = {
  gauges: {
    leadport_event_webhooks: {
      help: "Event webhooks, by state. `disabled` means disabled by their owner, and `paused` means disabled by the service.",
      labels: ["state"],
    },
    leadport_event_lag_seconds: {
      help: "Age of the oldest change whose events have not been queued yet for an enabled webhook.",
    },
  },
  read: async (tx) => {
    const [states = {}] = await run(tx)`
      select count(*) filter (where enabled)::int as enabled,
             count(*) filter (where not enabled and disabled_reason is null)::int as disabled,
             count(*) filter (where not enabled and disabled_reason is not null)::int as paused
        from event_webhooks`;
    const [lag = {}] = await run(tx)`
      select coalesce(extract(epoch from now() - min(next.at)), 0)::float8 as lag_s
        from (select tenant_id, subject_types, position from event_webhooks
               where enabled limit ${WEBHOOKS_MAX}) w
        cross join lateral unnest(w.subject_types) as type
        cross join lateral (
          select c.at from changes c
           where c.tenant_id = w.tenant_id and c.subject_type = type and c.seq is not null
             and c.seq > w.position
           order by c.seq limit 1) next`;
    return {
      leadport_event_webhooks: ["enabled", "disabled", "paused"].map((state) => ({
        labels: { state },
        value: Number(states[state]),
      })),
      leadport_event_lag_seconds: [{ value: Math.max(0, Number(lag["lag_s"])) }],
    };
  },
};

/** Event webhooks. A separate value, because openapi.json lists them after the operations of other modules. */
export const webhooksModule = {
  name: "webhooks",
  operations: ({ webhooks }: { readonly webhooks: EventWebhookDeps }) => ({
    tenants: webhookOperations(webhooks),
  }),
  topics: { [EVENT]: contributedEventTopic },
  schemas: () => ({ ...eventWebhookSchemas, ...payloadSchemas }),
  tags: { "event webhooks": "Signed requests to your systems when records change." },
  personal: {
    event_webhooks: {
      text: "filter description",
      no:
        "tenant_id id partner_id url events subject_types enabled disabled_reason sealed position created_ts " +
        "updated_ts",
    },
    event_replays: {
      no: "tenant_id webhook_id start_ts end_ts after_id changes events created_ts finished_ts",
    },
  },
  metrics: [WEBHOOK_METRICS],
  jobs: {
    event_replay: sql`
      select count(*)::int as pending,
             coalesce(extract(epoch from now()) - min(created_ts), 0)::float8 as age_s
        from (select created_ts from event_replays where finished_ts is null limit ${COUNT_MAX}) p`,
  },
} satisfies Module;
