/**
 * Builds the body that is stored and returned. A draft contains the values of a record's fields. present() adds all
 * derived members, and the writing statement adds the stamps and the version.
 */

import Big from "big.js";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { once } from "../../platform/cache/index.ts";
import {
  derivedKindOf,
  type Draft,
  inCents,
  type Mirror,
  type Surroundings,
  type Values,
} from "../derived/index.ts";
import { kindOf } from "../kinds/index.ts";
import type { Field, RecordType, SumOfLines } from "../types/index.ts";
import { withLists } from "./entry-lists.ts";
import type { CountryCode } from "../contact-details/index.ts";

export type { Draft, Values };

/** The data that is stored with a record but never returned (the column `internal`). */
export interface Internal {
  /** The encrypted social security number. */
  readonly ssn?: string;
  /** Fields that are normally computed but were set explicitly, so they keep their value. */
  readonly stands?: readonly string[];
  /** The ids of the records that a conversion created from this lead. Repeated conversions return the same ids. */
  readonly converted?: JsonObject;
}

/**
 * Returns the draft of a new record. Aliases are resolved, and defaults and lists are filled in. Throws 422 for lists that
 * contradict other members.
 */
export function draftOf(type: RecordType, input: JsonObject, country: CountryCode): Draft {
  const sent = resolveAliases(type, withLists(type, input, country));
  const values: Values = {};
  for (const [name, field] of Object.entries(type.fields)) {
    values[name] = valueOf(field, sent[name] ?? null);
  }
  for (const [name, derived] of Object.entries(type.derived)) {
    if (derived.kind === "set_elsewhere") values[name] = sent[name] ?? derived.empty;
  }
  return followed(type, { values, stands: standing(type, sent) }, sent, undefined);
}

/** Returns a record's draft after a PATCH. `sent` is the checked input without ignored members. */
export function patchedDraft(type: RecordType, stored: Draft, sent: JsonObject): Draft {
  const values = { ...stored.values };
  for (const [name, value] of Object.entries(sent)) {
    values[name] = valueOf(type.fields[name] as Field, value);
  }
  const resplit = sent["name"] === undefined ? [] : nameParts(type);
  const kept = stored.stands.filter((name) => sent[name] !== null && !resplit.includes(name));
  const stands = [...new Set([...kept, ...standing(type, sent)])];
  return followed(type, { values, stands }, sent, stored);
}

/** Returns the fields that contain a part of the name. They are derived from a new name unless they are sent with it. */
export const nameParts = once(({ derived }: RecordType): readonly string[] =>
  Object.keys(derived).filter((name) => derived[name]?.kind === "name_part"),
);

/** Reconstructs the draft of a stored body. */
export function storedDraft(type: RecordType, body: JsonObject, internal: Internal): Draft {
  const names = [...Object.keys(type.fields), ...Object.keys(type.derived)];
  const values = Object.fromEntries(names.map((name) => [name, body[name] ?? null]));
  return { values, stands: internal.stands ?? [] };
}

/** Returns the input by field name, without ignored members or members that mean "not given". */
export function patchInput(
  type: RecordType,
  input: JsonObject,
  ignored: ReadonlySet<string>,
): Values {
  const sent = resolveAliases(type, input);
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => {
      const field = fieldOf(type, name);
      if (ignored.has(name) || Object.hasOwn(type.aliases, name)) return false;
      return field === undefined || value !== null || isCleared(field);
    }),
  );
}

/** Returns the field for a name in a request. Inherited properties such as `constructor` are not fields. */
const fieldOf = ({ fields }: RecordType, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Whether null clears this field. For other fields, null means "not given". */
export const isCleared = (field: Field): boolean =>
  field.required === true ||
  !(kindOf(field).ignoresNull || ("fallback" in field && field.fallback !== undefined));

function resolveAliases(type: RecordType, input: JsonObject): JsonObject {
  const resolved: Values = { ...input };
  for (const [alias, name] of Object.entries(type.aliases)) {
    const value = input[alias] ?? null;
    if (value !== null && (resolved[name] ?? null) === null) resolved[name] = value;
  }
  return resolved;
}

/** Converts a value from a request to its stored form. */
function valueOf(field: Field, value: Json): Json {
  const kind = kindOf(field);
  if (value !== null) return kind.stored(field, value);
  if ("fallback" in field && field.fallback !== undefined) return field.fallback;
  return kind.holds === "list" ? [] : null;
}

/** Returns the fields that are computed from other fields unless they are set explicitly. */
export const computedFields = once(
  ({ fields, derived, follows = {} }: RecordType): readonly string[] =>
    Object.keys(fields).filter(
      (name) => (name in derived && fields[name]?.kind !== "entries") || name in follows,
    ),
);

/** Returns the computed fields that have a value in the request. */
const standing = (type: RecordType, sent: JsonObject): string[] =>
  computedFields(type).filter((name) => (sent[name] ?? null) !== null);

/** Computes sums and mirrored flags. Converts empty strings to null in fields where they mean null. */
function followed(
  type: RecordType,
  { values, stands }: Draft,
  sent: JsonObject,
  before: Draft | undefined,
): Draft {
  const next = { ...values };
  for (const [name, sum] of Object.entries(type.follows ?? {})) {
    if (!stands.includes(name)) next[name] = sumOf(sum, next[sum.lines] ?? []);
  }
  for (const [name, derived] of Object.entries(type.derived)) {
    if (derived.kind !== "mirror") continue;
    if ((sent[derived.field] ?? null) === null && (sent[name] ?? null) !== null) {
      next[derived.field] = mirrored(type, derived, sent[name] === true, { next, before });
    }
    next[name] = next[derived.field] === derived.value;
  }
  for (const name of Object.keys(type.onlyWhile ?? {})) if (next[name] === "") next[name] = null;
  return { values: next, stands: stands.filter((name) => !isWithoutMoment(type, name, next)) };
}

/**
 * Whether a field contains a time only while another field has a certain value, and the other field does not have that
 * value.
 */
function isWithoutMoment({ derived }: RecordType, name: string, values: Values): boolean {
  const described = derived[name];
  return (
    described?.kind === "moment" && !described.values.includes(String(values[described.field]))
  );
}

/** Sets the status if a flag such as `is_completed` was sent without a status. */
function mirrored(
  type: RecordType,
  { field, value }: Mirror,
  on: boolean,
  { next, before }: { readonly next: Values; readonly before: Draft | undefined },
): Json {
  if (on) return value;
  if (before !== undefined && before.values[field] !== value) return next[field] ?? null;
  const described = type.fields[field];
  return described?.kind === "choice" ? described.fallback : null;
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

/** Returns Σ amount × count over the lines, rounded to cents, or null if no line has both an amount and a count. */
export function sumOf({ amount, count }: SumOfLines, value: Json): Json {
  const products = (value as readonly JsonObject[]).flatMap((line) => {
    const a = line[amount];
    const c = line[count];
    return isFiniteNumber(a) && isFiniteNumber(c) ? [new Big(a).times(c)] : [];
  });
  if (products.length === 0) return null;
  return inCents(products.reduce((sum, product) => sum.plus(product)));
}

/** Returns the fields that must be empty because of other fields' values (`onlyWhile`). */
const fieldsWithout = ({ onlyWhile = {} }: RecordType, values: JsonObject): readonly string[] =>
  Object.entries(onlyWhile).flatMap(([name, { field, is }]) =>
    values[field] === is ? [] : [name],
  );

/** Builds a record's body as stored and returned, without the stamps. */
export function present(type: RecordType, draft: Draft, around: Surroundings): Values {
  const { values } = draft;
  const body: Values = { _id: around.id, id: around.id };
  for (const name of Object.keys(type.fields)) body[name] = values[name] ?? null;
  for (const name of fieldsWithout(type, values)) body[name] = null;
  for (const [name, derived] of Object.entries(type.derived)) {
    body[name] = derivedKindOf(derived).value(derived, name, draft, around);
  }
  for (const [name, other] of Object.entries(type.defaultsTo ?? {})) {
    body[name] ??= body[other] ?? null;
  }
  body["userid"] ??= around.owner.userid;
  body["user_name"] = around.owner.user_name;
  body["created_by_userid"] = around.createdBy;
  return body;
}
