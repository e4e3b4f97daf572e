/**
 * Webhooks of the demo year, and the deliveries that they would have got. They are queued and attempted by the
 * code of the service, but nothing is sent: the plan says what each receiver responds.
 */

import { SERVICE } from "../../audit/index.ts";
import { attempt, type AttemptDeps, type NewJob, type Queue } from "../../delivery/index.ts";
import {
  createWebhook,
  enqueueEvents,
  eventsOf,
  eventTopics,
  type FeedEntry,
  isSubscribed,
  readFeed,
  subjectOf,
  subjectTypesOf,
} from "../../events/index.ts";
import { pushedLeadViews } from "../../exchange/index.ts";
import { idSource } from "../../platform/clock/index.ts";
import { type Db, run, transaction, type Tx } from "../../platform/database/index.ts";
import { createLog } from "../../platform/http/index.ts";
import type { Outgoing } from "../../platform/outgoing/index.ts";
import { type Backstage, scopeOf } from "./backstage.ts";

export interface DemoWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
}

/** What a receiver does with an attempt: an answer, or an error of the connection. */
export type Reply = { readonly duration_ms: number } & (
  | { readonly status: number; readonly body: string }
  | { readonly error: Error }
);

/** An attempt that the plan replies to. */
export interface Attempted {
  /** Epoch seconds. */
  readonly at_s: number;
  /** When its delivery was created. */
  readonly since_s: number;
  /** The same for all attempts of a delivery: from 0 to 1. */
  readonly fate: number;
}

export interface Past {
  /** Events from this moment on, epoch seconds. */
  readonly from_s: number;
  readonly reply: (attempted: Attempted) => Reply;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Behind all changes: no worker queues the events of the year. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;
const PAGE = 500;
/** What passes between a change and its first attempt. */
const QUEUED_s = 2;

interface Known extends DemoWebhook {
  readonly id: string;
  readonly partner_id: string | null;
}

export function deliveryActs(backstage: Backstage) {
  const { db, tenant } = backstage;
  const webhooks = new Map<string, Known>();
  return {
    /** Adds a webhook of the business, or of a partner with that id. */
    addWebhook: async (
      key: string,
      webhook: DemoWebhook,
      partner_id: string | null = null,
    ): Promise<void> => {
      const settings = { ...webhook, filter: null, enabled: true };
      const scope = { ...scopeOf(backstage, "owner"), holder: partner_id };
      const given = { settings, position: AFTER_ALL };
      const { id } = await createWebhook(scope, backstage, given);
      webhooks.set(key, { ...webhook, id: String(id), partner_id });
    },
    /** Delivers the events of a webhook since a moment, one after the other. */
    deliver: async (key: string, past: Past): Promise<void> => {
      const webhook = webhooks.get(key);
      if (webhook === undefined) return;
      for (const entry of await entriesOf(backstage, webhook, past.from_s)) {
        for (const event of eventsOf(entry)) {
          if (!isSubscribed(webhook.events, event)) continue;
          const isOn = await deliverOne(backstage, webhook, { entry, event, past });
          if (!isOn) return;
        }
      }
    },
    /** Lets the worker queue what happens from now on. */
    openWebhooks: async (): Promise<void> => {
      await run(db)`
        update event_webhooks
           set position = (select coalesce(max(seq), 0) from changes where tenant_id = ${tenant.id})
         where tenant_id = ${tenant.id}`;
    },
  };
}

/** The changes that a webhook's holder may know of, in their order. */
async function entriesOf(
  backstage: Backstage,
  { events, partner_id }: Known,
  from_s: number,
): Promise<readonly FeedEntry[]> {
  const scope = scopeOf(backstage);
  const types = subjectTypesOf(events);
  const [range] = await run(scope.db)`
    select min(seq) - 1 as after, max(seq) as last from changes
     where tenant_id = ${scope.tenantId} and at >= to_timestamp(${from_s}) and seq is not null`;
  const upTo = Number(range?.["last"] ?? 0);
  const entries: FeedEntry[] = [];
  for (let after = Number(range?.["after"] ?? 0); after < upTo;) {
    const page = await readFeed(scope, { after, upTo, types, limit: PAGE });
    entries.push(...page.entries.filter(({ at }) => Date.parse(at) >= from_s * 1000));
    after = page.reached;
  }
  if (partner_id === null) return entries;
  const ids = entries.map(({ record_id }) => record_id);
  const own = await pushedLeadViews(backstage.clock).ofPartner(scope, partner_id, ids);
  return entries.filter(({ record_id }) => own.has(record_id));
}

interface OneDelivery {
  readonly entry: FeedEntry;
  readonly event: string;
  readonly past: Past;
}

/**
 * Queues a delivery and attempts it as often as there was time for until now. All in one transaction, because
 * a running worker would attempt one that is overdue. Returns whether the webhook is still enabled.
 */
function deliverOne(
  { db, clock, sealer, tenant, now_s }: Backstage,
  webhook: Known,
  { entry, event, past }: OneDelivery,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const since_s = Math.floor(Date.parse(entry.at) / 1000) + QUEUED_s;
    await clock.set(since_s, tx);
    // Its own source: the delivery after this one begins before the last attempt of this one.
    const makeId = idSource(clock);
    const jobs: NewJob[] = [];
    const queue = queueInto(jobs);
    const scope = { db: tx, tenantId: tenant.id, actor: SERVICE };
    const { id, record_id } = entry;
    const subject = { subject_id: subjectOf(webhook.id, id, event), event, record_id };
    await enqueueEvents(scope, { clock, makeId, queue }, webhook, [subject]);
    const fate = past.random();
    const topicDeps = { clock, makeId, sealer, pushed: pushedLeadViews(clock) };
    const deps: AttemptDeps = {
      // `transaction` makes parts of it, as it does inside any other one.
      sql: tx as unknown as Db,
      clock,
      makeId,
      log: createLog("silent"),
      outgoing: outgoingBy(clock.move, () =>
        past.reply({ at_s: clock.now_ms() / 1000, since_s, fate }),
      ),
      topics: eventTopics(topicDeps),
      queue,
      random: past.random,
    };
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const at_s = clock.now_ms() / 1000 + job.after_s;
      if (at_s >= now_s) break;
      await clock.set(at_s, tx);
      await attempt({ ...job, id: job.deliveryId }, deps);
    }
    return isEnabled(tx, tenant.id, webhook.id);
  });
}

async function isEnabled(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const [row] = await run(tx)`
    select enabled from event_webhooks where tenant_id = ${tenantId} and id = ${id}`;
  return row?.["enabled"] === true;
}

/** A queue that only notes the jobs. */
const queueInto = (jobs: NewJob[]): Queue => ({
  add: async (_tx, added) => void jobs.push(...added),
  hasten: async () => {},
  take: async () => [],
  drop: async () => {},
  close: async () => {},
});

/** What would send requests, but asks the plan for each response instead. */
const outgoingBy = (move: (by_ms: number) => void, reply: () => Reply): Outgoing => ({
  send: async () => {
    const said = reply();
    move(said.duration_ms);
    if ("error" in said) throw said.error;
    const { status, body } = said;
    const headers = { "content-type": "application/json" };
    return { status, headers, body: Buffer.from(body), isCut: false };
  },
  close: async () => {},
});
