/**
 * Builds the request for an event (Standard Webhooks). Each attempt gets a new request that contains the change as it
 * was logged and the record in its current state. Secrets stay masked. Also describes event deliveries in lists.
 */

import type { Sql } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import {
  AGENT,
  type ContributedTopic,
  type DescribedTopic,
  type Description,
  type SentDelivery,
  type Topic,
} from "../delivery/index.ts";
import { isId } from "../platform/ids/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { OutgoingRequest } from "../platform/outgoing/index.ts";
import { findBody, recordNames } from "../records/store/index.ts";
import { typeOf } from "../records/types/index.ts";
import type { PartnerEventData, TenantEventData } from "./event-schemas.ts";
import { EVENT, eventNames, firstOf, subjectTypesOf } from "./event-types.ts";
import {
  PERSON_ERASURE,
  PUSHED_LEAD,
  type EventType,
  type FeedEntry,
  type FeedType,
} from "./feed.ts";
import { findEntry } from "./past-changes.ts";
import { disableWebhook } from "./webhooks.ts";
import {
  WEBHOOK_COLUMNS,
  webhookOf,
  type EventWebhook,
  type WebhookDeps,
  type WebhookRow,
} from "./webhook-row.ts";
import { columns, run } from "../platform/database/index.ts";

/**
 * Functions of the exchange module that return pushed leads as tenants and partners see them. They are passed in
 * because the events module does not depend on the exchange module.
 */
export interface PushedLeadViews {
  /** Returns a pushed lead as the tenant sees it, or undefined if it does not exist. */
  readonly forTenant: (scope: Scope, id: string) => Promise<JsonObject | undefined>;
  /**
   * Returns a pushed lead as its partner sees it. Returns undefined if another partner pushed it or
   * if the partner is suspended.
   */
  readonly forPartner: (
    scope: Scope,
    partnerId: string,
    id: string,
  ) => Promise<JsonObject | undefined>;
  /**
   * Returns the given ids that belong to leads pushed by the partner. The result is empty while the partner is
   * suspended.
   */
  readonly ofPartner: (
    scope: Scope,
    partnerId: string,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** Returns the query that selects the ids of all these leads. */
  readonly ofPartnerSql: (scope: Scope, partnerId: string) => Sql;
  /** Returns a complete sample of a pushed lead, as the tenant sees it, for test requests. */
  readonly sample: (id: string) => JsonObject;
  readonly names: Names;
  readonly partnerNames: Names;
}

type Names = (scope: Scope, ids: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;

export const TIMEOUT_s = 10;
const HEADERS = { "user-agent": AGENT, "content-type": "application/json" } as const;

/** Returns the subject id of a delivery, which consists of the webhook, the change and the event. */
export const subjectOf = (webhookId: string, changeId: string, event: string): string =>
  `${webhookId}.${changeId}.${event}`;

/** Tenants and partners have separate lanes, so that neither waits for the other's events. */
export const laneOf = ({ partner_id }: Pick<EventWebhook, "partner_id">): string =>
  partner_id === null ? "events" : "partners";

function partsOf(subjectId: string) {
  const [webhookId = "", changeId = "", ...words] = subjectId.split(".");
  return { webhookId, changeId, event: words.join(".") };
}

export interface EventTopicDeps extends WebhookDeps {
  readonly pushed: PushedLeadViews;
}

/**
 * Sends events. If the receiver responds with 410, it does not want any more events, so the webhook is disabled, unless
 * it has been changed or enabled again since the attempt started.
 */
export const eventTopic = (deps: EventTopicDeps): Topic => ({
  request: async (scope, { subject_id }) => {
    const { webhookId, changeId, event } = partsOf(subject_id);
    const webhook = await findEnabled(scope, deps, webhookId);
    const entry = webhook && (await findEntry(scope, changeId));
    if (webhook === undefined || entry === undefined) return "skip";
    const data = await dataOf(scope, deps, webhook, entry);
    if (data === undefined) return "skip";
    const sent = { event_id: `${changeId}.${event}`, ...data };
    const secrets = webhook.secrets.map(({ secret }) => secret);
    return { ...requestOf(webhook, { type: event, timestamp: entry.at, data: sent }), secrets };
  },
  onDelivered: async () => {},
  onGivenUp: async (scope, { subject_id }: SentDelivery, { ended: reason, at_ms, url }) => {
    if (reason !== "gone" || url === null) return;
    const { webhookId } = partsOf(subject_id);
    await disableWebhook(scope, deps, webhookId, { reason, since_ms: at_ms, url });
  },
});

/**
 * Returns a webhook of the tenant or of one of its partners. Returns undefined if the webhook was deleted or disabled.
 */
async function findEnabled(
  scope: Scope,
  deps: EventTopicDeps,
  id: string,
): Promise<EventWebhook | undefined> {
  const { db, tenantId } = scope;
  const [row] = await run<[WebhookRow?]>(db)`
    select ${columns(WEBHOOK_COLUMNS)} from event_webhooks
     where tenant_id = ${tenantId} and id = ${id} and enabled`;
  return row === undefined ? undefined : webhookOf(scope, deps, row);
}

const requestOf = ({ url, partner_id }: EventWebhook, payload: JsonObject): OutgoingRequest => ({
  url,
  ...(partner_id !== null && { by: "partner" }),
  method: "POST",
  headers: HEADERS,
  body: JSON.stringify(payload),
  timeout_s: TIMEOUT_s,
});

/** Returns the parts of the event data that the webhook's owner may see, or undefined if there are none. */
async function dataOf(
  scope: Scope,
  { pushed }: EventTopicDeps,
  { partner_id }: EventWebhook,
  entry: FeedEntry,
): Promise<JsonObject | undefined> {
  const { record_id, action, reason } = entry;
  if (partner_id !== null) {
    const pushed_lead = await pushed.forPartner(scope, partner_id, record_id);
    const known: Omit<PartnerEventData, "event_id"> = { record_id, action };
    return pushed_lead && { ...known, pushed_lead };
  }
  const change: Omit<TenantEventData, "event_id"> = {
    seq: entry.seq,
    record_id,
    version: entry.version,
    action,
    ...(reason !== undefined && { reason }),
    changed_fields: entry.fields,
  };
  return { ...change, record: await recordOf(scope, pushed, entry), actor: entry.actor };
}

async function recordOf(
  scope: Scope,
  pushed: PushedLeadViews,
  { type, record_id }: FeedEntry,
): Promise<JsonObject | null> {
  if (type === PUSHED_LEAD) return (await pushed.forTenant(scope, record_id)) ?? null;
  if (type === PERSON_ERASURE) return null;
  const body = await findBody(scope, typeOf(scope, type), record_id);
  return body === undefined ? null : JSON.parse(body.toString("utf8"));
}

const NOBODY = "0".repeat(24);

/**
 * Returns the test request. It contains the first subscribed event for a record that does not exist, and is marked as a
 * test.
 */
export function sampleRequest(
  webhook: EventWebhook,
  sample: (id: string, type: FeedType) => JsonObject,
  now_ms: number,
): OutgoingRequest {
  const type = firstOf(webhook.events);
  const [kind = PERSON_ERASURE] = subjectTypesOf([type]);
  const record = kind === PERSON_ERASURE ? null : sample(NOBODY, kind);
  const known: PartnerEventData = {
    event_id: `${NOBODY}.${type}`,
    record_id: NOBODY,
    action: "created",
  };
  const change: TenantEventData = { ...known, seq: null, version: 1, changed_fields: {} };
  const data =
    webhook.partner_id === null
      ? { test: true, ...change, record, actor: null }
      : { test: true, ...known, pushed_lead: record };
  return requestOf(webhook, { type, timestamp: new Date(now_ms).toISOString(), data });
}

/** Returns the lane of a delivery that is resent, or undefined if its webhook was deleted. */
async function laneOfSubject({ db, tenantId }: Scope, subjectId: string) {
  const [row] = await run<[Pick<EventWebhook, "partner_id">?]>(db)`
    select partner_id from event_webhooks
     where tenant_id = ${tenantId} and id = ${partsOf(subjectId).webhookId}`;
  return row && laneOf(row);
}

/** Returns the event topic, as the service's list of topics contains it. */
export const contributedEventTopic = (deps: EventTopicDeps): ContributedTopic => ({
  ...eventTopic(deps),
  ...describedEvents(deps.pushed),
  lane: laneOfSubject,
});

type Views = Pick<PushedLeadViews, "names" | "partnerNames">;

/** Describes event deliveries for lists of deliveries. */
export const describedEvents = (pushed: Views): DescribedTopic => ({
  events: eventNames,
  ofWebhook: (id) => (isId(id) ? { topic: EVENT, subject: id } : undefined),
  describe: async (scope, deliveries) => {
    const parts = deliveries.map(({ id, subject_id }) => ({ id, ...partsOf(subject_id) }));
    const webhooks = await webhooksOf(scope, pushed, distinct(parts.map((one) => one.webhookId)));
    const records = await recordsOf(scope, pushed, distinct(parts.map((one) => one.changeId)));
    return new Map(
      parts.map(({ id, webhookId, changeId, event }) => {
        const webhook = webhooks.get(webhookId) ?? { id: webhookId, ...DELETED };
        return [id, { event, webhook, record: records.get(changeId) ?? null }];
      }),
    );
  },
});

const DELETED = { kind: null, url: null, description: null, partner: null } as const;

const distinct = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

type Row = Pick<EventWebhook, "id" | "partner_id" | "url" | "description">;

async function webhooksOf(
  scope: Scope,
  { partnerNames }: Views,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Description["webhook"]>> {
  const rows = await run<Row[]>(scope.db)`
    select id, partner_id, url, description from event_webhooks
     where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::text[])`;
  const partners = rows.flatMap(({ partner_id }) => partner_id ?? []);
  const names = partners.length === 0 ? undefined : await partnerNames(scope, distinct(partners));
  return new Map(
    rows.map(({ id, partner_id, url, description }) => {
      const kind = partner_id === null ? "event_webhook" : "partner_webhook";
      const partner =
        partner_id === null ? null : { id: partner_id, name: names?.get(partner_id) ?? null };
      return [id, { id, kind, url, description, partner }];
    }),
  );
}

/** Returns the records that the given changes are about, keyed by change id. */
async function recordsOf(
  scope: Scope,
  { names }: Views,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Description["record"]>> {
  const rows = await run<{ id: string; type: EventType; record_id: string }[]>(scope.db)`
    select id, subject_type as type, subject_id as record_id from changes
     where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::text[])`;
  const named = new Map<string, string | null>();
  for (const [type, own] of Map.groupBy(rows, (row) => row.type)) {
    if (type === PERSON_ERASURE) continue;
    const records = distinct(own.map(({ record_id }) => record_id));
    const found = await (type === PUSHED_LEAD
      ? names(scope, records)
      : recordNames(scope, typeOf(scope, type), records));
    for (const [id, name] of found) named.set(id, name);
  }
  return new Map(
    rows.map(({ id, type, record_id }) => [
      id,
      { type, id: record_id, name: named.get(record_id) ?? null },
    ]),
  );
}
