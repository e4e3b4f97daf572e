/**
 * All events, and the events that each change triggers. They are derived from the record types, so that new record
 * types automatically have events.
 */

import {
  RECORD_NAMES,
  type RecordName,
  TYPE_FACTS,
  type TypeFacts,
} from "../records/types/index.ts";
import {
  FEED_ACTIONS,
  PERSON_ERASURE,
  PUSHED_LEAD,
  type EventType,
  type FeedEntry,
} from "./feed.ts";

/** The topic of event deliveries. */
export const EVENT = "event";

/** The event that each logged action on a pushed lead triggers. */
const PUSHED_EVENTS: Readonly<Record<string, string>> = {
  pushed: "received",
  accepted: "accepted",
  rejected: "rejected",
  imported: "imported",
  expired: "expired",
};

/** The action that is logged for a record that is restored by undoing a merge. The feed reports it as a creation. */
const RESTORED = "restored";

const changedWord = ({ statusField }: TypeFacts): string => `${statusField}_changed`;

const PERSON_ERASED = "person.erased";

/** The names of the events that changes of each type can trigger. */
const NAMES: ReadonlyMap<EventType, readonly string[]> = new Map([
  ...RECORD_NAMES.map((name): [EventType, readonly string[]] => {
    const type = TYPE_FACTS[name];
    const words = [
      ...FEED_ACTIONS,
      ...(type.sameBy === undefined ? [] : [RESTORED]),
      changedWord(type),
      ...(type.events ?? []),
    ];
    return [name, words.map((word) => `${name}.${word}`)];
  }),
  [PUSHED_LEAD, Object.values(PUSHED_EVENTS).map((word) => `${PUSHED_LEAD}.${word}`)],
  [PERSON_ERASURE, [PERSON_ERASED]],
]);

export const eventNames: readonly string[] = [...NAMES.values()].flat();

/** The names of events by record type. */
export const eventsByType = (): readonly (readonly [EventType, readonly string[]])[] => [...NAMES];

/** The events that partners receive. */
export const partnerEvents: readonly string[] = NAMES.get(PUSHED_LEAD) ?? [];

/** The values that a tenant can subscribe to: single events, all events of a type (`lead.*`), or all events (`*`). */
export const SUBSCRIPTIONS: readonly string[] = [
  ...eventNames,
  ...[...NAMES.values()].map(([name = ""]) => name.replace(/\.[^.]+$/, ".*")),
  "*",
];

/** The values that a partner can subscribe to. */
export const PARTNER_SUBSCRIPTIONS: readonly string[] = [...partnerEvents, `${PUSHED_LEAD}.*`];

/** Returns the events that a change triggers. The most general event comes first. */
export function eventsOf({ type, action, reason, fields }: FeedEntry): readonly string[] {
  if (type === PUSHED_LEAD) {
    const word = PUSHED_EVENTS[reason ?? action];
    return word === undefined ? [] : [`${type}.${word}`];
  }
  if (type === PERSON_ERASURE) return [PERSON_ERASED];
  const known: TypeFacts = TYPE_FACTS[type];
  if (reason === RESTORED) return [`${type}.${RESTORED}`];
  const hasMoved = action === "updated" && known.statusField in fields;
  const words = [
    action,
    ...(hasMoved ? [changedWord(known)] : []),
    ...(known.events ?? []).filter((word) => word === reason),
  ];
  return words.map((word) => `${type}.${word}`);
}

const covers = (subscription: string, name: string): boolean =>
  subscription === "*" ||
  subscription === name ||
  (subscription.endsWith(".*") && name.startsWith(subscription.slice(0, -1)));

export const isSubscribed = (subscriptions: readonly string[], name: string): boolean =>
  subscriptions.some((subscription) => covers(subscription, name));

/** Returns the types of changes that can trigger the subscribed events. */
export const subjectTypesOf = (subscriptions: readonly string[]): readonly EventType[] =>
  [...NAMES]
    .filter(([, names]) => names.some((name) => isSubscribed(subscriptions, name)))
    .map(([type]) => type);

/** Returns the first known event that the subscriptions include. */
export const firstOf = (subscriptions: readonly string[]): string =>
  eventNames.find((name) => isSubscribed(subscriptions, name)) ?? "";

/** Returns the name of the subscribed events' record type if all of them have the same one. Otherwise, returns undefined. */
export function soleTypeOf(subscriptions: readonly string[]): RecordName | undefined {
  const [type, ...others] = subjectTypesOf(subscriptions);
  if (type === undefined || others.length > 0) return undefined;
  if (type === PUSHED_LEAD || type === PERSON_ERASURE) return undefined;
  return type;
}
