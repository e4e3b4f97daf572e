/** All events by type. Those of records are derived from the record types in the same way as in the service. */

import { findType, type RecordType, recordTypes } from "../record/index.ts";

export interface EventGroup {
  /** A record type, `pushed_lead` or `person`. */
  readonly type: string;
  /** The parts after the dot, such as `created` in `lead.created`. */
  readonly words: readonly string[];
}

const RECORD_WORDS = ["created", "updated", "deleted", "merged"] as const;
const PUSHED_WORDS = ["received", "accepted", "rejected", "imported", "expired"] as const;

const wordsOf = (type: RecordType): readonly string[] => [
  ...RECORD_WORDS,
  ...(type.mergeable ? ["restored"] : []),
  `${type.status_field}_changed`,
  ...type.events,
];

export const eventGroups = (): readonly EventGroup[] => [
  { type: "pushed_lead", words: PUSHED_WORDS },
  ...recordTypes().map((type) => ({ type: type.name, words: wordsOf(type) })),
  { type: "person", words: ["erased"] },
];

/** The event name of import webhook deliveries. Event webhooks never receive it. */
export const LEAD_IMPORTED = "lead.imported";

export const EVERYTHING = "*";

/** Returns the wildcard that subscribes to all events of a type. */
export const allOf = (type: EventGroup["type"]): string => `${type}.*`;

/** Returns the types that the subscriptions cover. */
export function typesIn(events: readonly string[]): readonly EventGroup["type"][] {
  if (events.includes(EVERYTHING)) return eventGroups().map(({ type }) => type);
  const types = new Set(events.map((event) => event.split(".")[0]));
  return eventGroups()
    .map(({ type }) => type)
    .filter((type) => types.has(type));
}

/**
 * Returns the record type whose fields can be used to filter these events; undefined if there is
 * none.
 */
export function filteredType(events: readonly string[]): RecordType | undefined {
  const [type, ...others] = typesIn(events);
  return others.length > 0 || type === undefined ? undefined : findType(type);
}

/** Adds or removes a subscription. A wildcard replaces the subscriptions that it covers. */
export function withEvent(
  events: readonly string[],
  event: string,
  isChosen: boolean,
): readonly string[] {
  const others = events.filter((one) => one !== event);
  if (!isChosen) return others;
  if (event === EVERYTHING) return [EVERYTHING];
  if (!event.endsWith(".*")) return [...others, event];
  return [...others.filter((one) => !one.startsWith(event.slice(0, -1))), event];
}
