/**
 * Which events there are, and which of them a change is. Data, and the readings of it: a new record type
 * has its events by itself.
 */

import { recordTypes, RECORD_TYPES, type RecordType } from "../records/index.ts";
import { FEED_ACTIONS, PUSHED_LEAD, type FeedEntry, type FeedType } from "./feed.ts";

/** What deliveries of events are about. */
export const EVENT = "event";

/** What the log of a pushed lead calls its steps, and what its events are called. */
const PUSHED_WORDS: Readonly<Record<string, string>> = {
  pushed: "received",
  accepted: "accepted",
  rejected: "rejected",
  imported: "imported",
  expired: "expired",
};

/** A record is there again: the merge that it went into was undone. The feed tells it as a creation. */
const RESTORED = "restored";

const changedWord = ({ statusField }: RecordType): string => `${statusField}_changed`;

/** The names of the events that changes of a type can be. */
const NAMES: ReadonlyMap<FeedType, readonly string[]> = new Map([
  ...recordTypes.map((type): [FeedType, readonly string[]] => {
    const words = [
      ...FEED_ACTIONS,
      ...(type.sameBy === undefined ? [] : [RESTORED]),
      changedWord(type),
      ...(type.events ?? []),
    ];
    return [type.name, words.map((word) => `${type.name}.${word}`)];
  }),
  [PUSHED_LEAD, Object.values(PUSHED_WORDS).map((word) => `${PUSHED_LEAD}.${word}`)],
]);

export const eventNames: readonly string[] = [...NAMES.values()].flat();

/** What a tenant may subscribe to: an event, all of a type, or all. */
export const SUBSCRIPTIONS: readonly string[] = [
  ...eventNames,
  ...[...NAMES.keys()].map((type) => `${type}.*`),
  "*",
];

/** What a partner may subscribe to. */
export const PARTNER_SUBSCRIPTIONS: readonly string[] = [
  ...(NAMES.get(PUSHED_LEAD) ?? []),
  `${PUSHED_LEAD}.*`,
];

/** The events that a change is, the plainest first. */
export function eventsOf({ type, action, reason, fields }: FeedEntry): readonly string[] {
  if (type === PUSHED_LEAD) {
    const word = PUSHED_WORDS[reason ?? action];
    return word === undefined ? [] : [`${type}.${word}`];
  }
  const known = RECORD_TYPES[type];
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

/** The types of changes that these events are read from. */
export const subjectTypesOf = (subscriptions: readonly string[]): readonly FeedType[] =>
  [...NAMES]
    .filter(([, names]) => names.some((name) => isSubscribed(subscriptions, name)))
    .map(([type]) => type);

/** The first event, in the order of the catalogue, that a subscription covers. */
export const firstOf = (subscriptions: readonly string[]): string =>
  eventNames.find((name) => isSubscribed(subscriptions, name)) ?? "";

/** The one record type that all the events are about; undefined where there are several, or none. */
export function soleTypeOf(subscriptions: readonly string[]): RecordType | undefined {
  const [type, ...others] = subjectTypesOf(subscriptions);
  if (type === undefined || type === PUSHED_LEAD || others.length > 0) return undefined;
  return RECORD_TYPES[type];
}
