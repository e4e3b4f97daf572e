/**
 * Which events there are, type by type: read out of the record types, as the service reads them.
 */

import { type RecordName, type RecordType, recordTypes } from "../../../src/records/types/index.ts";

export interface EventGroup {
  readonly type: RecordName | "pushed_lead";
  /** What follows the point: `created` of `lead.created`. */
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
];

/** The event of deliveries to the import webhook, which no event webhook gets. */
export const LEAD_IMPORTED = "lead.imported";

/** The events that deliveries report. */
export const EVENTS: readonly string[] = [
  ...EVENT_GROUPS.flatMap(({ type, words }) => words.map((word) => `${type}.${word}`)),
  LEAD_IMPORTED,
];

export const EVERYTHING = "*";

/** All events of a type. */
export const allOf = (type: EventGroup["type"]): string => `${type}.*`;

/** The types that subscriptions are about. */
export function typesIn(events: readonly string[]): readonly EventGroup["type"][] {
  if (events.includes(EVERYTHING)) return EVENT_GROUPS.map(({ type }) => type);
  const types = new Set(events.map((event) => event.split(".")[0]));
  return EVENT_GROUPS.map(({ type }) => type).filter((type) => types.has(type));
}

/** The record type that a filter of these events would be over; undefined where there can be none. */
export function filteredType(events: readonly string[]): RecordType | undefined {
  const [type, ...others] = typesIn(events);
  return others.length > 0 ? undefined : recordTypes.find(({ name }) => name === type);
}

/** Subscriptions with one more or one less. What covers others takes their place. */
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
