/**
 * The entries of `email_list` and `phone_list`. Converts entries as sent to the forms used for storage and comparison.
 */

import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { DERIVED_MEMBERS, type EntryKind, isMainType, unknownMembers } from "../kinds/index.ts";
import { emailEntry, emailKey } from "./email.ts";
import { isPhoneCountry, phoneEntry, phoneKey, returnedPhone, type CountryCode } from "./phone.ts";

export const MAIN = "Main";

export const isMain = ({ type }: JsonObject): boolean => type === MAIN;

/**
 * Functions that return the form of an entry used for comparison, without surrounding spaces: addresses in lowercase,
 * and numbers as digits.
 */
export const ENTRY_KEYS: Readonly<Record<EntryKind, (entry: JsonObject) => string>> = {
  email: ({ email }) => emailKey(String(email)),
  phone: ({ phone }) => String(phone).trim(),
};

/** An entry with the members derived from its address or number. */
export interface Entry {
  /** The entry's type. Null if none was sent. */
  readonly type: string | null;
  readonly key: string;
  /** The address or number as it was sent. */
  readonly text: string;
  /** The members, without `type`. */
  readonly members: JsonObject;
  /** Whether the entry has derived members. They show that the caller is sending back an entry from a response. */
  readonly isReturned: boolean;
}

export const derivedOf = (kind: EntryKind, text: string, country: CountryCode): JsonObject => {
  const { type: _, ...members } = kind === "email" ? emailEntry(text) : phoneEntry(text, country);
  return members;
};

/** Returns an entry's address or number with the members that Leadport derived from it. */
export const derivedIn = (kind: EntryKind, entry: JsonObject): JsonObject =>
  Object.fromEntries([kind, ...DERIVED_MEMBERS[kind]].map((name) => [name, entry[name] ?? null]));

/** The entries of a stored `phone_list` by their number. */
export type StoredNumbers = ReadonlyMap<Json | undefined, JsonObject>;

/**
 * Parses an entry of a checked list. If a number is in the form that responses use (digits with country code), it is
 * not parsed as a national number.
 */
export function entryOf(
  kind: EntryKind,
  item: Json,
  stored: StoredNumbers,
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
    isReturned: DERIVED_MEMBERS[kind].some((name) => name in given),
  };
}

function returnedNumber(text: string, given: JsonObject, stored: StoredNumbers) {
  const same = stored.get(text);
  const { country = null, formatted_phone = null } = same ?? given;
  if (same !== undefined) return { phone: text, country, formatted_phone };
  return returnedPhone(text, country, formatted_phone);
}

/**
 * Removes duplicate addresses and numbers. Main entries take precedence, then entries with another type, and then
 * entries without a type.
 */
export function deduplicated(entries: readonly Entry[]): readonly Entry[] {
  const rank = ({ type }: Entry): number => (type === MAIN ? 2 : type === null ? 0 : 1);
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    const known = byKey.get(entry.key);
    if (known === undefined || rank(entry) > rank(known)) byKey.set(entry.key, entry);
  }
  return [...byKey.values()];
}

/** Whether a string is an entry's number when it is parsed as a number in the entry's country. */
export const isNumberOf = ({ phone, country }: JsonObject, text: string): boolean =>
  typeof country === "string" && isPhoneCountry(country) && phoneKey(text, country) === phone;

/** Returns the entries of a record's list. */
export const storedEntries = (list: Json | undefined): readonly JsonObject[] =>
  isList(list) ? list.filter(isObject) : [];

const isList = (list: Json | undefined): list is readonly Json[] => Array.isArray(list);

/** Whether a record has this address or number as a secondary entry. */
export function isOtherEntry(body: JsonObject, kind: EntryKind, key: string): boolean {
  const same = storedEntries(body[`${kind}_list`]).filter(
    (entry) => ENTRY_KEYS[kind](entry) === key,
  );
  return same.length > 0 && same.every(({ type }) => type !== MAIN);
}

/** Returns the keys of the entries in a checked or stored body, or an empty array if the body has no list. */
export function listedKeys(
  kind: EntryKind,
  list: Json | undefined,
  country: CountryCode,
): readonly string[] {
  return isList(list) ? list.map((item) => entryOf(kind, item, new Map(), country).key) : [];
}

/** Whether an entry in a list is marked as the main entry. */
export const hasMain = (list: Json | undefined): boolean =>
  storedEntries(list).some(({ type }) => isMainType(type));
