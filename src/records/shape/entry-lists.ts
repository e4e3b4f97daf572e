/**
 * Computes the stored entries of `email_list` and `phone_list` from a body. The Main entry is the record's `email` or
 * `phone`. docs/records.md explains the rules in "Several addresses and numbers".
 */

import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import { sameJson, type Json, type JsonObject } from "../../platform/json/index.ts";
import { once } from "../../platform/clock/index.ts";
import { tooLong, valueError, type Fault } from "../../platform/validation/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  deduplicated,
  derivedOf,
  ENTRY_KEYS,
  entryOf,
  isNumberOf,
  MAIN,
  unknownMembers,
  type Entry,
  type EntryKind,
  storedEntries,
} from "./entries.ts";
import { phoneText, type CountryCode } from "./phone.ts";

type Values = Record<string, Json>;

/** Maximum number of entries in a changed list. A merge may create a longer list. */
export const ENTRIES_MAX = 50;
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

/**
 * Returns the list with this value as its Main entry. Keeps all other stored entries, except for one with the same
 * address or number.
 */
export function withMain(
  kind: EntryKind,
  list: Json | undefined,
  text: Json | undefined,
  country: CountryCode,
): readonly JsonObject[] {
  const entries = storedEntries(list);
  const others = entries.filter(({ type }) => type !== MAIN);
  if (typeof text !== "string" || text === "") return others;
  const keyOf = ENTRY_KEYS[kind];
  const main = derivedOf(kind, text, country);
  const before = entries.find((entry) => keyOf(entry) === keyOf(main));
  return [
    { type: MAIN, ...main, ...(before && unknownMembers(kind, before)) },
    ...others.filter((entry) => keyOf(entry) !== keyOf(main)),
  ];
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
  readonly stored: { readonly list: readonly JsonObject[]; readonly main: Json } | undefined;
}

/** Returns the entries with `main` as the main entry, or without a main entry if it is null. */
function resolvedAs(
  kind: EntryKind,
  entries: readonly Entry[],
  main: string | null,
  country: CountryCode,
): Resolved {
  const list = entries.map(({ type, members }) => ({
    type: type === null || type === MAIN ? OTHER : type,
    ...members,
  }));
  return { list: withMain(kind, list, main, country), main };
}

/**
 * Resolves a list. Returns "same" if it equals the stored list. Returns a fault if it is too long or contradicts
 * `email` or `phone`.
 */
function resolve(
  { kind, items, main: sent, stored }: Sent,
  country: CountryCode,
): Resolved | "same" | Fault {
  const most = Math.max(COMPARED_MAX, stored?.list.length ?? 0);
  const isTooLong = (): Fault => ({ ...tooLong(ENTRIES_MAX, items.length), at: `${kind}_list` });
  if (items.length > most) return isTooLong();
  const numbers = new Map(stored?.list.map((entry) => [entry["phone"], entry]));
  const entries = deduplicated(items.map((item) => entryOf(kind, item, numbers, country)));
  const keyOf = (text: string): string => ENTRY_KEYS[kind](derivedOf(kind, text, country));
  const marked = entries.find(({ type }) => type === MAIN);
  const own = marked ?? entries.find(({ type }) => type === null);
  const textOf = ({ key, text, members }: Entry): string => {
    if (kind === "email") return text;
    const before = stored?.main;
    // The number has not changed, so keep it as originally entered.
    if (typeof before === "string" && before !== "" && keyOf(before) === key) return before;
    return phoneText(text, members, country);
  };
  const as = (main: string | null, list = entries): Resolved =>
    resolvedAs(kind, list, main, country);
  const alone = as(own === undefined ? null : textOf(own));
  const isStored = ({ list }: Resolved): boolean => sameJson(list, stored?.list);
  const said = typeof sent === "string" && sent !== "" ? sent : null;
  const isOfMain = said !== null && marked !== undefined && keyOf(said) === marked.key;
  // Whether `phone` is the main number when parsed as a number in its own country instead of the tenant's country.
  const isNational =
    said !== null && !isOfMain && marked?.isReturned === true && isNumberOf(marked.members, said);
  if (isStored(alone)) return isNational ? alone : "same";
  const isChanged =
    !isNational &&
    (stored === undefined ? said !== null : sent !== undefined && sent !== stored.main);
  const contradicts = marked !== undefined && isChanged && !isOfMain;
  // A client may create a record from a copy of another one, in which it has changed only `email` or `phone`.
  const isCopy = contradicts && stored === undefined && marked.isReturned;
  if (contradicts && !isCopy) {
    return valueError(`${kind} contradicts the Main entry of ${kind}_list`, kind);
  }
  const isSaid = isChanged || (marked === undefined && said !== null);
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
 * Computes the lists to store for a checked body, and derives `email` and `phone` from them. Omits lists that equal
 * those in `stored`, which is the record's body. Throws 422 for lists that contradict `email` or `phone`, and for
 * changed lists that are too long.
 */
export function withLists(
  type: RecordType,
  body: Values,
  country: CountryCode,
  stored?: JsonObject,
): Values {
  const sent = stored === undefined ? givenLists(type, body) : body;
  const lists = entryLists(type).filter(([name]) => name in sent);
  if (lists.length === 0) return sent;
  const next: Values = { ...sent };
  const issues: Issue[] = [];
  for (const [name, kind] of lists) {
    const before = stored && {
      list: stored[name] as readonly JsonObject[],
      main: stored[kind] ?? null,
    };
    const items = sent[name] ?? [];
    delete next[name];
    if (!Array.isArray(items)) continue;
    const resolved = resolve({ kind, items, main: sent[kind], stored: before }, country);
    if (resolved === "same") continue;
    if ("msg" in resolved) {
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
