/**
 * The webhooks of the demo year and their deliveries. The service's own code queues and attempts the deliveries, but
 * nothing is sent: the plan determines the responses.
 */

import { SERVICE } from "../../audit/index.ts";
import { attempt, type AttemptDeps, type NewJob, type Queue } from "../../delivery/index.ts";
import {
  createWebhook,
  enqueueEvents,
  EVENT,
  eventsOf,
  eventTopic,
  type FeedEntry,
  isSubscribed,
  readFeed,
  subjectOf,
  subjectTypesOf,
} from "../../events/index.ts";
import { pushedLeadViews } from "../../exchange/index.ts";
import { idSource } from "../../platform/ids/index.ts";
import { type Db, run, transaction, type Tx } from "../../platform/database/index.ts";
import { createLog } from "../../platform/http/index.ts";
import type { Outgoing } from "../../platform/outgoing/index.ts";
import { type Backstage, scopeOf } from "./backstage.ts";

export interface DemoWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
}

/** The outcome of an attempt: a response or a connection error. */
export type Reply = { readonly duration_ms: number } & (
  | { readonly status: number; readonly body: string }
  | { readonly error: Error }
);

/** An attempt whose response the plan determines. */
export interface Attempted {
  /** Epoch seconds. */
  readonly at_s: number;
  /** The time when the attempt's delivery was created, in epoch seconds. */
  readonly since_s: number;
  /** Whether this is an attempt of the webhook's first delivery. */
  readonly isFirst: boolean;
  /** A random number from 0 to 1 that is the same for all attempts of a delivery. */
  readonly fate: number;
}

export interface Past {
  /** The time of the first event, in epoch seconds. */
  readonly from_s: number;
  readonly reply: (attempted: Attempted) => Reply;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
}

/** A position after all changes. It prevents workers from queuing the events of the demo year. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;
const PAGE = 500;
/** The time from a change to the first attempt of its delivery. */
const QUEUED_s = 2;

interface Known extends DemoWebhook {
  readonly id: string;
  readonly partner_id: string | null;
}

export function deliveryActs(backstage: Backstage) {
  const { db, tenant } = backstage;
  const webhooks = new Map<string, Known>();
  return {
    /** Adds a webhook for the business, or for the partner with this id. */
    addWebhook: async (
      key: string,
      webhook: DemoWebhook,
      partner_id: string | null = null,
    ): Promise<void> => {
      const settings = { ...webhook, filter: null, enabled: true };
      const scope = { ...scopeOf(backstage, "owner"), owner: partner_id };
      const given = { settings, position: AFTER_ALL };
      const { id } = await createWebhook(scope, backstage, given);
      webhooks.set(key, { ...webhook, id: String(id), partner_id });
    },
    /** Delivers a webhook's past events, one after the other. */
    deliver: async (key: string, past: Past): Promise<void> => {
      const webhook = webhooks.get(key);
      if (webhook === undefined) return;
      let isFirst = true;
      for (const entry of await entriesOf(backstage, webhook, past.from_s)) {
        for (const event of eventsOf(entry)) {
          if (!isSubscribed(webhook.events, event)) continue;
          const one = { entry, event, past, isFirst };
          const isStillEnabled = await deliverOne(backstage, webhook, one);
          if (!isStillEnabled) return;
          isFirst = false;
        }
      }
    },
    /** Makes the worker queue future events for the webhooks. */
    openWebhooks: async (): Promise<void> => {
      await run(db)`
        update event_webhooks
           set position = (select coalesce(max(seq), 0) from changes where tenant_id = ${tenant.id})
         where tenant_id = ${tenant.id}`;
    },
  };
}

/** Returns the changes that are visible to the owner of a webhook, in order. */
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
  readonly isFirst: boolean;
}

/**
 * Queues a delivery and makes all attempts that would have happened by now. Uses a single transaction, so that a
 * running worker does not attempt overdue deliveries. Returns whether the webhook is still enabled.
 */
function deliverOne(
  { db, clock, sealer, tenant, now_s }: Backstage,
  webhook: Known,
  { entry, event, past, isFirst }: OneDelivery,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const since_s = Math.floor(Date.parse(entry.at) / 1000) + QUEUED_s;
    await clock.set(since_s, tx);
    // Use a separate id generator, because in demo time the next delivery starts before the last attempt of this one.
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
      // This works because `transaction` uses a savepoint if it is called inside another transaction.
      sql: tx as unknown as Db,
      clock,
      makeId,
      log: createLog("silent"),
      outgoing: outgoingBy(clock.move, () =>
        past.reply({ at_s: clock.now_ms() / 1000, since_s, isFirst, fate }),
      ),
      topics: { [EVENT]: eventTopic(topicDeps) },
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

/** Returns a queue that only collects the jobs. */
const queueInto = (jobs: NewJob[]): Queue => ({
  add: async (_tx, added) => void jobs.push(...added),
  hasten: async () => {},
  take: async () => [],
  drop: async () => {},
  close: async () => {},
});

/** Returns an HTTP client that sends nothing and returns the planned responses. */
const outgoingBy = (move: (by_ms: number) => void, reply: () => Reply): Outgoing => ({
  send: async () => {
    const outcome = reply();
    move(outcome.duration_ms);
    if ("error" in outcome) throw outcome.error;
    const { status, body } = outcome;
    const headers = { "content-type": "application/json" };
    return { status, headers, body: Buffer.from(body), isCut: false };
  },
  close: async () => {},
});
