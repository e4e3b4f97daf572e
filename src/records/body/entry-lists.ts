/**
 * Computes the stored entries of `email_list` and `phone_list` from a body. The Main entry is the record's `email` or
 * `phone`. docs/records.md explains the rules in "Several addresses and numbers".
 */

import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import { sameJson, type Json, type JsonObject } from "../../platform/json/index.ts";
import { once } from "../../platform/cache/index.ts";
import { tooLong, valueError, type Fault } from "../../platform/validation/index.ts";
import { ENTRIES_MAX, type EntryKind, unknownMembers } from "../kinds/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  deduplicated,
  derivedIn,
  derivedOf,
  ENTRY_KEYS,
  entryOf,
  isMain,
  isNumberOf,
  MAIN,
  type Entry,
  storedEntries,
  phoneText,
  type CountryCode,
} from "../contact-details/index.ts";

type Values = Record<string, Json>;

/** The type that secondary entries without a type are stored with. */
const OTHER = "Other";
/** A list that is longer than this and longer than the stored list is rejected without comparing the two. */
const COMPARED_MAX = 1000;

/** Returns a type's lists of entries. */
export const entryLists = once(
  ({ fields }: RecordType): readonly (readonly [name: string, kind: EntryKind])[] =>
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === "entries" ? [[name, field.of] as const] : [],
    ),
);

/** A stored list and the value of `email` or `phone` that its Main entry belongs to. */
interface StoredList {
  readonly list: readonly JsonObject[];
  readonly main: Json;
}

const storedList = (kind: EntryKind, stored: JsonObject): StoredList => ({
  list: storedEntries(stored[`${kind}_list`]),
  main: stored[kind] ?? null,
});

/**
 * Returns the members of the Main entry for a value of `email` or `phone`. A stored value keeps the members of its stored
 * entry, because the tenant's country may have changed since the value was sent.
 */
function mainOf(
  kind: EntryKind,
  text: string,
  country: CountryCode,
  stored: StoredList | undefined,
): JsonObject {
  const before = stored?.main === text ? stored.list.find(isMain) : undefined;
  return before === undefined ? derivedOf(kind, text, country) : derivedIn(kind, before);
}

/**
 * Returns the list with these members as its Main entry. Keeps all other stored entries, except for one with the same
 * address or number, whose additional members the Main entry takes over.
 */
export function withMain(
  kind: EntryKind,
  entries: readonly JsonObject[],
  main: JsonObject | undefined,
): readonly JsonObject[] {
  const others = entries.filter((entry) => !isMain(entry));
  if (main === undefined) return others;
  const keyOf = ENTRY_KEYS[kind];
  const before = entries.find((entry) => keyOf(entry) === keyOf(main));
  return [
    { type: MAIN, ...main, ...(before && unknownMembers(kind, before)) },
    ...others.filter((entry) => keyOf(entry) !== keyOf(main)),
  ];
}

/** Returns a record's list with the entry for this value of `email` or `phone` as its Main entry. */
export function listWithMain(
  kind: EntryKind,
  body: JsonObject,
  text: Json | undefined,
  country: CountryCode,
): readonly JsonObject[] {
  const stored = storedList(kind, body);
  const isEmpty = typeof text !== "string" || text === "";
  return withMain(kind, stored.list, isEmpty ? undefined : mainOf(kind, text, country, stored));
}

/** A resolved list: its entries, and the corresponding value of `email` or `phone`. */
interface Resolved {
  readonly list: readonly JsonObject[];
  readonly main: string | null;
}

/** The list in a body and, if there is a record, its stored list. */
interface Sent {
  readonly kind: EntryKind;
  readonly items: readonly Json[];
  /** The body's `email` or `phone`. Undefined if it was not sent. */
  readonly main: Json | undefined;
  readonly stored: StoredList | undefined;
}

/** A value of `email` or `phone` with the members of its entry. */
interface Main {
  readonly text: string;
  readonly members: JsonObject;
}

/** Returns the entries with `main` as the main entry, or without a main entry if it is undefined. */
function resolvedAs(kind: EntryKind, entries: readonly Entry[], main: Main | undefined): Resolved {
  const list = entries.map(({ type, members }) => ({
    type: type === null || type === MAIN ? OTHER : type,
    ...members,
  }));
  return { list: withMain(kind, list, main?.members), main: main?.text ?? null };
}

/** Returns an entry of a sent list as the main entry. If the number has not changed, keeps it as originally entered. */
function mainIn({ kind, stored }: Sent, { key, text, members }: Entry, country: CountryCode): Main {
  if (kind === "email") return { text, members };
  const before = stored?.list.find(isMain);
  return before !== undefined && ENTRY_KEYS[kind](before) === key
    ? { text: String(stored?.main), members: derivedIn(kind, before) }
    : { text: phoneText(text, members, country), members };
}

/**
 * Resolves a list. Returns "same" if it equals the stored list. Returns a fault if it is too long or contradicts
 * `email` or `phone`.
 */
function resolve(given: Sent, country: CountryCode): Resolved | "same" | Fault {
  const { kind, items, main: sent, stored } = given;
  const most = Math.max(COMPARED_MAX, stored?.list.length ?? 0);
  const isTooLong = (): Fault => ({ ...tooLong(ENTRIES_MAX, items.length), at: `${kind}_list` });
  if (items.length > most) return isTooLong();
  const numbers = new Map(stored?.list.map((entry) => [entry["phone"], entry]));
  const entries = deduplicated(items.map((item) => entryOf(kind, item, numbers, country)));
  const marked = entries.find(({ type }) => type === MAIN);
  const own = marked ?? entries.find(({ type }) => type === null);
  const as = (main: Main | undefined, list = entries): Resolved => resolvedAs(kind, list, main);
  const alone = as(own && mainIn(given, own, country));
  const isStored = ({ list }: Resolved): boolean => sameJson(list, stored?.list);
  const said =
    typeof sent === "string" && sent !== ""
      ? { text: sent, members: mainOf(kind, sent, country, stored) }
      : undefined;
  const isOfMain =
    said !== undefined && marked !== undefined && ENTRY_KEYS[kind](said.members) === marked.key;
  // Whether `phone` is the main number when parsed as a number in its own country instead of the tenant's country.
  const isNational =
    said !== undefined &&
    !isOfMain &&
    marked?.isReturned === true &&
    isNumberOf(marked.members, said.text);
  if (isStored(alone)) return isNational ? alone : "same";
  const isChanged =
    !isNational &&
    (stored === undefined ? said !== undefined : sent !== undefined && sent !== stored.main);
  const contradicts = marked !== undefined && isChanged && !isOfMain;
  // A client may create a record from a copy of another one, in which it has changed only `email` or `phone`.
  const isCopy = contradicts && stored === undefined && marked.isReturned;
  if (contradicts && !isCopy) {
    return valueError(`${kind} contradicts the Main entry of ${kind}_list`, kind);
  }
  const isSaid = isChanged || (marked === undefined && said !== undefined);
  const resolved = isSaid
    ? as(said, isCopy ? entries.filter((one) => one !== marked) : entries)
    : alone;
  if (isStored(resolved)) return "same";
  return items.length > ENTRIES_MAX ? isTooLong() : resolved;
}

/** Whether a list in a create request means "not given". */
const isNotGiven = (list: Json | undefined): boolean =>
  list === undefined || list === null || list === "" || (Array.isArray(list) && list.length === 0);

/** Returns the body of a create request without lists that mean "not given". */
export function givenLists(type: RecordType, body: Values): Values {
  const given = { ...body };
  for (const [name] of entryLists(type)) if (isNotGiven(given[name])) delete given[name];
  return given;
}

/**
 * Computes the lists to store for a checked body: the lists that it contains, from which `email` and `phone` are derived,
 * and the lists whose main entry it changes. `stored` is the record's body; lists that equal its lists are omitted. Throws
 * 422 for lists that contradict `email` or `phone`, and for changed lists that are too long.
 */
export function withLists(
  type: RecordType,
  body: Values,
  country: CountryCode,
  stored?: JsonObject,
): Values {
  const sent = stored === undefined ? givenLists(type, body) : body;
  const next: Values = { ...sent };
  const issues: Issue[] = [];
  for (const [name, kind] of entryLists(type)) {
    const before = stored && storedList(kind, stored);
    const items = name in sent ? (sent[name] ?? []) : undefined;
    delete next[name];
    const resolved = Array.isArray(items)
      ? resolve({ kind, items, main: sent[kind], stored: before }, country)
      : "same";
    if (resolved === "same") {
      const isChanged = (next[kind] ?? null) !== (stored?.[kind] ?? null);
      if (kind in next && isChanged) {
        next[name] = listWithMain(kind, stored ?? {}, next[kind], country);
      }
    } else if ("msg" in resolved) {
      const { at = name, ...fault } = resolved;
      issues.push({ loc: ["body", at], input: sent[at] ?? null, ...fault });
    } else {
      next[name] = resolved.list;
      next[kind] = resolved.main;
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return next;
}
