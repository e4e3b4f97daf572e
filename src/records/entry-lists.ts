/**
 * `email_list` and `phone_list`: what a body says → the entries that are stored. A record's own `email` or
 * `phone` is its Main entry; the others are what was listed. Rules: docs/records.md, "Several addresses
 * and numbers".
 */

import { ValidationError, type Issue } from "../platform/errors.ts";
import { isObject, sameJson, type Json, type JsonObject } from "../platform/json.ts";
import { once } from "../platform/remember.ts";
import { tooLong, valueError, type Fault } from "../platform/validation.ts";
import type { RecordType } from "./define.ts";
import { emailEntry, emailKey } from "./email.ts";
import { phoneEntry, phoneText, returnedPhone, type CountryCode } from "./phone.ts";

type Values = Record<string, Json>;

/** What a list holds: addresses or numbers. */
export type EntryKind = "email" | "phone";

/** How many entries a changed list may have. A merge may leave more. */
export const ENTRIES_MAX = 50;
const MAIN = "Main";
/** The type of an entry that has none and is not the main one. */
const OTHER = "Other";

/** Members of an entry that Leadport derives; a caller's are ignored. */
export const DERIVED_MEMBERS: Readonly<Record<EntryKind, readonly string[]>> = {
  email: ["email_validation_dict"],
  phone: ["country", "formatted_phone"],
};

/** What entries are compared by: an address without regard to case, a number's digits. */
export const ENTRY_KEYS: Readonly<Record<EntryKind, (entry: JsonObject) => string>> = {
  email: ({ email }) => emailKey(String(email)),
  phone: ({ phone }) => String(phone),
};

/** The lists of a type, by name. */
export const entryLists = once(
  ({ fields }: RecordType): readonly (readonly [name: string, kind: EntryKind])[] =>
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === "entries" ? [[name, field.of] as const] : [],
    ),
);

/** "main" in any letter case. */
export const isMainType = (type: Json | undefined): boolean =>
  typeof type === "string" && type.toLowerCase() === "main";

/** An entry with everything that is derived from its text. */
interface Entry {
  /** Null where none was sent. */
  readonly type: string | null;
  readonly key: string;
  /** The address or number as it was sent. */
  readonly text: string;
  /** Without `type`. */
  readonly members: JsonObject;
}

const derivedOf = (kind: EntryKind, text: string, country: CountryCode): JsonObject => {
  const { type: _, ...members } = kind === "email" ? emailEntry(text) : phoneEntry(text, country);
  return members;
};

/** Members that Leadport does not know, which are stored as they are. */
export function unknownMembers(kind: EntryKind, entry: JsonObject): JsonObject {
  const known = ["type", kind, ...DERIVED_MEMBERS[kind]];
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !known.includes(name)));
}

/**
 * An entry of a list that was checked. A number in the form in which it is returned, digits with country
 * code, is not read again as a national number.
 */
function entryOf(
  kind: EntryKind,
  item: Json,
  stored: readonly JsonObject[],
  country: CountryCode,
): Entry {
  const given: JsonObject = typeof item === "string" ? { [kind]: item } : (item as JsonObject);
  const text = String(given[kind]);
  const returned = kind === "phone" ? returnedNumber(text, given, stored) : undefined;
  const members = {
    ...(returned ?? derivedOf(kind, text, country)),
    ...unknownMembers(kind, given),
  };
  const { type = null } = given;
  return {
    type: typeof type !== "string" || type === "" ? null : isMainType(type) ? MAIN : type,
    key: ENTRY_KEYS[kind](members),
    text,
    members,
  };
}

function returnedNumber(
  text: string,
  given: JsonObject,
  stored: readonly JsonObject[],
): JsonObject | undefined {
  const same = stored.find(({ phone }) => phone === text);
  const { country = null, formatted_phone = null } = same ?? given;
  if (same !== undefined) return { phone: text, country, formatted_phone };
  return returnedPhone(text, country, formatted_phone);
}

/** Each address or number once: the main one beats others, an entry with a type one without. */
function collapsed(entries: readonly Entry[]): readonly Entry[] {
  const rank = ({ type }: Entry): number => (type === MAIN ? 2 : type === null ? 0 : 1);
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    const known = byKey.get(entry.key);
    if (known === undefined || rank(entry) > rank(known)) byKey.set(entry.key, entry);
  }
  return [...byKey.values()];
}

/**
 * The list whose Main entry is of this text, from entries as they are stored: other entries stay, except
 * one of the same address or number.
 */
export function withMain(
  kind: EntryKind,
  list: Json | undefined,
  text: Json | undefined,
  country: CountryCode,
): readonly JsonObject[] {
  const entries = (list ?? []) as readonly JsonObject[];
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

/** A list that was resolved: its entries, and the text of `email` or `phone` that goes with it. */
interface Resolved {
  readonly list: readonly JsonObject[];
  readonly main: string | null;
}

/** What a body says of a list, and what the record holds where there is one. */
interface Sent {
  readonly kind: EntryKind;
  readonly items: readonly Json[];
  /** `email` or `phone` of the body; undefined where it was not sent. */
  readonly main: Json | undefined;
  readonly stored: { readonly list: readonly JsonObject[]; readonly main: Json } | undefined;
}

/** The entries with one of them as the main one; with `main` null none is. */
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

/** Resolves a list; "same" where it is the stored one, and what is wrong with it where it contradicts. */
function resolve(
  { kind, items, main: sent, stored }: Sent,
  country: CountryCode,
): Resolved | "same" | Fault {
  const entries = collapsed(items.map((item) => entryOf(kind, item, stored?.list ?? [], country)));
  const keyOf = (text: string): string => ENTRY_KEYS[kind](derivedOf(kind, text, country));
  const marked = entries.find(({ type }) => type === MAIN);
  const own = marked ?? entries.find(({ type }) => type === null);
  const textOf = ({ key, text, members }: Entry): string => {
    if (kind === "email") return text;
    const before = stored?.main;
    // The number is the one that the record has, however it was typed.
    if (typeof before === "string" && before !== "" && keyOf(before) === key) return before;
    return phoneText(text, members, country);
  };
  const as = (main: string | null): Resolved => resolvedAs(kind, entries, main, country);
  const alone = as(own === undefined ? null : textOf(own));
  const isStored = ({ list }: Resolved): boolean => sameJson(list, stored?.list);
  if (isStored(alone)) return "same";
  const said = typeof sent === "string" && sent !== "" ? sent : null;
  const isChanged =
    stored === undefined ? said !== null : sent !== undefined && sent !== stored.main;
  if (marked !== undefined && isChanged && (said === null || keyOf(said) !== marked.key)) {
    return valueError(`${kind} contradicts the Main entry of ${kind}_list`, kind);
  }
  const isSaid = isChanged || (marked === undefined && said !== null);
  const resolved = isSaid ? as(said) : alone;
  if (isStored(resolved)) return "same";
  if (items.length > ENTRIES_MAX)
    return { ...tooLong(ENTRIES_MAX, items.length), at: `${kind}_list` };
  return resolved;
}

const isFault = (resolved: Resolved | Fault): resolved is Fault => "msg" in resolved;

/** Whether a list in the body of a creation means "not given". */
const isNotGiven = (list: Json | undefined): boolean =>
  list === undefined || list === null || list === "" || (Array.isArray(list) && list.length === 0);

/** The body of a creation without lists that mean "not given". */
export function givenLists(type: RecordType, body: Values): Values {
  const empty = entryLists(type).filter(([name]) => name in body && isNotGiven(body[name]));
  if (empty.length === 0) return body;
  const names = new Set(empty.map(([name]) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}

/**
 * A checked body with its lists as they are stored, and `email` and `phone` as they follow from them. A list
 * equal to the one in `stored`, the record's body, is left out. Throws 422 for a list that contradicts
 * `email` or `phone`, and for a changed one that is too long.
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
    if (isFault(resolved)) {
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

/** Whether a record has this address or number as an entry, but not as its main one. */
export function isOtherEntry(body: JsonObject, kind: EntryKind, key: string): boolean {
  const entries = (body[`${kind}_list`] ?? []) as readonly JsonObject[];
  const same = entries.filter((entry) => ENTRY_KEYS[kind](entry) === key);
  return same.length > 0 && same.every(({ type }) => type !== MAIN);
}

/** The keys of the entries of a body that was checked, or of one that is stored; none where it has no list. */
export function listedKeys(
  kind: EntryKind,
  list: Json | undefined,
  country: CountryCode,
): readonly string[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).map((item) => entryOf(kind, item, [], country).key);
}

/** Whether an entry is marked as the main one. */
export const hasMain = (list: Json | undefined): boolean =>
  Array.isArray(list) &&
  (list as readonly Json[]).some((item) => isObject(item) && isMainType(item["type"]));
