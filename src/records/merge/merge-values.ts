/**
 * Computes a record's values after a merge, and after the merge is undone. A merge fills empty fields and combines
 * lists. This needs no database, so it is easy to test.
 */

import {
  canonicalJson,
  sameJson,
  type Json,
  type JsonObject,
  asList,
} from "../../platform/json/index.ts";
import { type EntryKind, kindOf } from "../kinds/index.ts";
import type { Derived, Field, RecordType } from "../types/index.ts";
import { type Draft, storedDraft, type Values, entryLists, withMain } from "../body/index.ts";
import { ENTRY_KEYS, isMain } from "../contact-details/index.ts";
import type { Stored } from "../store/index.ts";

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/**
 * Returns the survivor's values. Empty fields other than `name` are filled from the first of the other records that has
 * a value.
 */
export function mergedValues(type: RecordType, survivor: Stored, others: readonly Stored[]): Draft {
  const { values: own, stands } = storedDraft(type, survivor.body, survivor.internal);
  const values: Values = { ...own };
  const given = others.map(({ body }) => body);
  for (const group of groupsOf(type)) {
    const [name = ""] = group;
    const most = unitedMax(type.fields[name]);
    if (most !== undefined) {
      values[name] = unitedLists(name, most, [own, ...given]);
    } else if (group.every((member) => isEmpty(own[member]))) {
      const from = given.find((body) => group.some((member) => !isEmpty(body[member])));
      for (const member of group) values[member] = from?.[member] ?? own[member] ?? null;
    }
  }
  if ("match_preferences_dict" in values) {
    values["match_preferences_dict"] = preferencesOf(values, own, given);
  }
  return {
    values: { ...values, ...unitedEntries(type, [survivor.body, ...given]) },
    stands,
  };
}

/** Whether a field is set by callers or by another operation. Derived fields are recomputed automatically. */
const isSet = ({ fields, derived }: RecordType, name: string): boolean =>
  derived[name] === undefined ? fields[name] !== undefined : isSetElsewhere(derived[name]);

const isSetElsewhere = ({ kind }: Derived): boolean => kind === "set_elsewhere";

/** Returns the maximum length of a list that a merge unites, or undefined for other fields. */
const unitedMax = (field: Field | undefined): number | undefined =>
  field && kindOf(field).unitedMax;

/**
 * Returns the type's fields, grouped by fields that belong together. Excludes preferences, because they depend on the
 * partner, and the name, which other records show.
 */
function groupsOf(type: RecordType): readonly (readonly string[])[] {
  const names = [...new Set([...Object.keys(type.fields), ...Object.keys(type.derived)])].filter(
    (name) => isSet(type, name) && name !== "match_preferences_dict" && name !== "name",
  );
  const { together = [] } = type;
  const grouped = new Set(together.flat());
  return [...together, ...names.filter((name) => !grouped.has(name)).map((name) => [name])];
}

/** Combines lists, omitting repeated values, up to a length of `most`. */
function unitedLists(name: string, most: number, bodies: readonly JsonObject[]): Json {
  const all = bodies.flatMap((body) => asList(body[name]));
  const united = new Map<string, Json>();
  for (const one of all) {
    if (united.size === most) break;
    const key = canonicalJson(one);
    if (!united.has(key)) united.set(key, one);
  }
  return [...united.values()];
}

/**
 * Returns preferences from a record of the same partner, because partners must not see preferences that other partners
 * sent.
 */
function preferencesOf(values: Values, own: Values, given: readonly JsonObject[]): Json {
  if (!isEmpty(own["match_preferences_dict"])) return own["match_preferences_dict"] ?? null;
  const from = given.find(
    (body) =>
      !isEmpty(body["match_preferences_dict"]) &&
      (body["partner_id"] ?? null) === (values["partner_id"] ?? null),
  );
  return from?.["match_preferences_dict"] ?? null;
}

/**
 * Combines the addresses and numbers of all records without duplicates. The first main entry stays the main entry: that
 * of the survivor or, if it has none, that of the record that fills its `email` or `phone`.
 */
function unitedEntries(type: RecordType, bodies: readonly JsonObject[]): Values {
  const lists = entryLists(type).map(([name, kind]) => {
    const keyOf = ENTRY_KEYS[kind];
    const all = bodies.flatMap((body) => body[name] as readonly JsonObject[]);
    const united = new Map<string, JsonObject>();
    for (const entry of all) {
      if (united.has(keyOf(entry))) continue;
      united.set(keyOf(entry), isMain(entry) ? { ...entry, type: "Other" } : entry);
    }
    return [name, withMain(kind, [...united.values()], all.find(isMain))] as const;
  });
  return Object.fromEntries(lists);
}

/** The values that a merge changed, with their old and new values. */
export type Filled = Readonly<Record<string, readonly [before: Json, after: Json]>>;

/** Returns the fields that a merge changed in the survivor's body. Undoing the merge restores them. */
export function filledBy(type: RecordType, before: JsonObject, after: JsonObject): Filled {
  const names = [...groupsOf(type).flat(), ...Object.values(type.sameBy ?? {})];
  const all =
    "match_preferences_dict" in type.derived ? [...names, "match_preferences_dict"] : names;
  return Object.fromEntries(
    all.flatMap((name) => {
      const old = before[name] ?? null;
      const now = after[name] ?? null;
      return sameJson(old, now) ? [] : [[name, [old, now]] as const];
    }),
  );
}

/**
 * Returns the survivor's values without the values that the merge added. Fields that have not been changed since get
 * their old values back, and entries that the merge added to lists are removed.
 */
export function unmergedValues(type: RecordType, survivor: Stored, filled: Filled): Draft {
  const { values: own, stands } = storedDraft(type, survivor.body, survivor.internal);
  const values: Values = { ...own };
  for (const [name, [before, after]] of Object.entries(filled)) {
    const now = survivor.body[name] ?? null;
    const field = type.fields[name];
    // The lists follow, because they depend on `email` and `phone`.
    if (field?.kind === "entries") continue;
    if (unitedMax(field) !== undefined) {
      const came = cameBy(before, after);
      values[name] = asList(now).filter((one) => !came.has(canonicalJson(one)));
    } else if (sameJson(now, after)) {
      values[name] = before;
    }
  }
  for (const [name, kind] of entryLists(type)) {
    const change = filled[name];
    if (change === undefined) continue;
    const now = survivor.body[name] as readonly JsonObject[];
    values[name] = unmergedEntries(kind, now, { change, hasMain: !isEmpty(values[kind]) });
  }
  return { values, stands };
}

/**
 * Returns the entries without the ones that the merge added. If the main entry is removed because the merge had filled
 * `email` or `phone`, an entry that the survivor had with the same address or number is restored.
 */
function unmergedEntries(
  kind: EntryKind,
  now: readonly JsonObject[],
  {
    change: [old, merged],
    hasMain,
  }: { readonly change: Filled[string]; readonly hasMain: boolean },
): readonly JsonObject[] {
  const keyOf = ENTRY_KEYS[kind];
  const byKey = (list: Json) =>
    new Map((list as readonly JsonObject[]).map((entry) => [keyOf(entry), entry] as const));
  const own = byKey(old);
  const all = byKey(merged);
  return now.flatMap((entry): readonly JsonObject[] => {
    const key = keyOf(entry);
    const before = own.get(key);
    if (isMain(entry) && !hasMain) return before === undefined ? [] : [before];
    return isMain(entry) || before !== undefined || !all.has(key) ? [entry] : [];
  });
}

/** Returns the canonical texts of the elements that a merge added to a list. */
function cameBy(before: Json, after: Json): ReadonlySet<string> {
  const known = new Set(asList(before).map(canonicalJson));
  return new Set(
    asList(after)
      .map(canonicalJson)
      .filter((text) => !known.has(text)),
  );
}
