/** Describes deliveries by their event, webhook and record. Each topic describes its own deliveries. */

import type { Scope } from "../audit/index.ts";
import {
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import type { Lanes } from "./queue.ts";
import type { SentDelivery, Topic } from "./topics.ts";

const STRING = { type: "string" } as const;

const PARTNER = {
  id: string("The id of the partner."),
  name: nullable(string("The name of the partner.")),
} as const satisfies Schemas;

const WEBHOOK = {
  id: string("The webhook's id, or `import_webhook`."),
  kind: {
    ...nullable({ ...STRING, enum: ["event_webhook", "partner_webhook", "import_webhook"] }),
    description: "Null if the webhook was deleted.",
  },
  url: nullable(string("The webhook's current URL.")),
  description: nullable(string("The description of the webhook.")),
  partner: {
    anyOf: [objectSchema(PARTNER), { type: "null" }],
    description: "The partner that owns the webhook; null if the tenant owns it.",
  },
} as const satisfies Schemas;

const RECORD = {
  type: string("`lead`, `deal`, … or `pushed_lead`."),
  id: string("The id of the record."),
  name: nullable(string("The record's current name; null if the record no longer exists.")),
} as const satisfies Schemas;

/** The members that a topic adds to a delivery in responses. */
export const DESCRIPTION = {
  event: nullable(string("For example `lead.created`; `lead.imported` for the import webhook.")),
  webhook: {
    anyOf: [objectSchema(WEBHOOK), { type: "null" }],
    description: "The webhook that the delivery is sent to.",
  },
  record: {
    anyOf: [objectSchema(RECORD), { type: "null" }],
    description: "The record that the event is about.",
  },
} as const satisfies Schemas;

export interface Description extends Members<typeof DESCRIPTION> {}

/** Selects a topic's deliveries, or only those with a certain subject. */
export interface About {
  readonly topic: string;
  /** The part of the subject id before the first dot. By default, deliveries with any subject are selected. */
  readonly subject?: string;
}

/** A topic that can describe its deliveries. */
export interface DescribedTopic {
  /** The events that the topic's deliveries can report. */
  readonly events: readonly string[];
  /**
   * Selects the deliveries of the webhook with this id. Returns undefined if no webhook of this topic can have the id.
   */
  readonly ofWebhook: (webhook_id: string) => About | undefined;
  /** Describes deliveries of this topic. The result is keyed by delivery id. */
  readonly describe: (
    scope: Scope,
    deliveries: readonly SentDelivery[],
  ) => Promise<ReadonlyMap<string, Description>>;
}

/** A topic as its module contributes it. */
export interface ContributedTopic extends Topic, DescribedTopic {
  /** Returns the lane of a delivery. If omitted, the topic uses no lanes. */
  readonly lane?: Lanes[string];
}

export type DescribedTopics = Readonly<Record<string, DescribedTopic>>;

interface Describable extends SentDelivery {
  readonly topic: string;
}

const UNKNOWN: Description = { event: null, webhook: null, record: null };

/**
 * Adds descriptions to deliveries. The number of statements depends on the number of topics, not on the number of
 * deliveries.
 */
export async function described<D extends Describable>(
  scope: Scope,
  topics: DescribedTopics,
  deliveries: readonly D[],
): Promise<readonly (D & Description)[]> {
  const known = new Map<string, Description>();
  for (const [topic, own] of Map.groupBy(deliveries, (delivery) => delivery.topic)) {
    const found = (await topics[topic]?.describe(scope, own)) ?? [];
    for (const [id, description] of found) known.set(id, description);
  }
  return deliveries.map((delivery) => ({ ...delivery, ...(known.get(delivery.id) ?? UNKNOWN) }));
}

/**
 * Selects a webhook's deliveries in the topic that the webhook belongs to. Returns undefined if the id cannot be a
 * webhook id.
 */
export const ofWebhook = (topics: DescribedTopics, webhook_id: string): About | undefined =>
  Object.values(topics)
    .map((topic) => topic.ofWebhook(webhook_id))
    .find((about) => about !== undefined);
