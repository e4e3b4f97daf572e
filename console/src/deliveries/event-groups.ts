/** All events by type, derived from the record types in the same way as in the service. */

import { type RecordName, type RecordType, recordTypes } from "../../../src/records/types/index.ts";

export interface EventGroup {
  readonly type: RecordName | "pushed_lead" | "person";
  /** The parts after the dot, such as `created` in `lead.created`. */
  readonly words: readonly string[];
}

const RECORD_WORDS = ["created", "updated", "deleted", "merged"] as const;
const PUSHED_WORDS = ["received", "accepted", "rejected", "imported", "expired"] as const;

const wordsOf = (type: RecordType): readonly string[] => [
  ...RECORD_WORDS,
  ...(type.sameBy === undefined ? [] : ["restored"]),
  `${type.statusField}_changed`,
  ...(type.events ?? []),
];

export const EVENT_GROUPS: readonly EventGroup[] = [
  { type: "pushed_lead", words: PUSHED_WORDS },
  ...recordTypes.map((type) => ({ type: type.name, words: wordsOf(type) })),
  { type: "person", words: ["erased"] },
];

/** The event name of import webhook deliveries. Event webhooks never receive it. */
export const LEAD_IMPORTED = "lead.imported";

/** All events that a delivery can report. */
export const EVENTS: readonly string[] = [
  ...EVENT_GROUPS.flatMap(({ type, words }) => words.map((word) => `${type}.${word}`)),
  LEAD_IMPORTED,
];

export const EVERYTHING = "*";

/** Returns the wildcard that subscribes to all events of a type. */
export const allOf = (type: EventGroup["type"]): string => `${type}.*`;

/** Returns the types that the subscriptions cover. */
export function typesIn(events: readonly string[]): readonly EventGroup["type"][] {
  if (events.includes(EVERYTHING)) return EVENT_GROUPS.map(({ type }) => type);
  const types = new Set(events.map((event) => event.split(".")[0]));
  return EVENT_GROUPS.map(({ type }) => type).filter((type) => types.has(type));
}

/**
 * Returns the record type whose fields can be used to filter these events; undefined if there is
 * none.
 */
export function filteredType(events: readonly string[]): RecordType | undefined {
  const [type, ...others] = typesIn(events);
  return others.length > 0 ? undefined : recordTypes.find(({ name }) => name === type);
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
