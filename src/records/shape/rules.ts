/** Rules that JSON Schema cannot express. Schemas refer to them by name in `x-rule`. */

import type { Clock } from "../../platform/clock/index.ts";
import type { Issue } from "../../platform/errors/index.ts";
import { DEPTH_MAX, isObject, type Json } from "../../platform/json/index.ts";
import { valueError, type Fault, type Rule } from "../../platform/validation/index.ts";
import { isMainType, unknownMembers, type EntryKind } from "./entries.ts";
import { RECORD_TYPES, type RecordName, type RecordType } from "../types/index.ts";
import { sumOf } from "./present.ts";
import { EPOCH_END, type Purpose } from "./field-schemas.ts";
import { isMasked, isSsn } from "./ssn.ts";

const MONEY_DIGITS_MAX = 15;
const MONEY_DECIMALS_MAX = 6;
/** The maximum length of strings in unknown members of entries. */
const ENTRY_MEMBER_MAX = 500;

/** Allows at most 15 significant digits and 6 decimals, so that sums stay exact. */
function moneyFaults(value: Json): readonly Fault[] {
  if (typeof value !== "number") return [];
  const [mantissa = "", exponent = "0"] = Math.abs(value).toString().split("e");
  const [whole = "", decimals = ""] = mantissa.split(".");
  const digits = (whole + decimals).replace(/^0+/, "");
  if (Math.max(decimals.length - Number(exponent), 0) > MONEY_DECIMALS_MAX) {
    const msg = `Decimal input should have no more than ${MONEY_DECIMALS_MAX} decimal places`;
    return [{ type: "decimal_max_places", msg, ctx: { decimal_places: MONEY_DECIMALS_MAX } }];
  }
  const significant = Math.max(digits.replace(/0+$/, "").length, whole.length + Number(exponent));
  if (significant > MONEY_DIGITS_MAX) {
    const msg = `Decimal input should have no more than ${MONEY_DIGITS_MAX} digits in total`;
    return [{ type: "decimal_max_digits", msg, ctx: { max_digits: MONEY_DIGITS_MAX } }];
  }
  return [];
}

function epochFaults(value: Json): readonly Fault[] {
  if (typeof value !== "number" || Math.abs(value) < EPOCH_END) return [];
  const msg =
    `Input should be less than ${EPOCH_END}: ` +
    "epoch times are in seconds; this looks like milliseconds";
  return [{ type: "less_than", msg, ctx: { lt: EPOCH_END } }];
}

const NO_INTEGER: Fault = {
  type: "int_parsing",
  msg: "Input should be a valid integer, unable to parse string as an integer",
};

function digitsFaults(
  value: Json,
  { min, max }: { readonly min: number; readonly max: number },
): readonly Fault[] {
  if (typeof value === "string" && !/^\d{1,16}$/.test(value)) return [NO_INTEGER];
  if (typeof value !== "string" && typeof value !== "number") return [];
  const whole = Number(value);
  if (whole < min) {
    const msg = `Input should be greater than or equal to ${min}`;
    return [{ type: "greater_than_equal", msg, ctx: { ge: min } }];
  }
  if (whole > max) {
    const msg = `Input should be less than or equal to ${max}`;
    return [{ type: "less_than_equal", msg, ctx: { le: max } }];
  }
  return [];
}

/**
 * Checks a social security number. Except on create, a masked number is also accepted and leaves the stored number
 * unchanged.
 */
function ssnFaults(value: Json, purpose: Purpose): readonly Fault[] {
  if (typeof value !== "string" || isSsn(value)) return [];
  if (purpose !== "create" && isMasked(value)) return [];
  return [valueError("an SSN must be XXX-XX-XXXX or nine digits")];
}

/** Limits the length of strings in unknown members, because these members are stored. */
function shortTextFaults(value: Json, max: number, within: Issue["loc"] = []): readonly Fault[] {
  if (typeof value === "string") {
    if ([...value].length <= max) return [];
    const msg = `String should have at most ${max} characters`;
    return [{ type: "string_too_long", msg, ctx: { max_length: max }, within }];
  }
  // Deeper nesting is rejected elsewhere.
  if (typeof value !== "object" || value === null || within.length > DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    shortTextFaults(member, max, [...within, Array.isArray(value) ? Number(name) : name]),
  );
}

function socialFaults(value: Json, max: number): readonly Fault[] {
  if (!isObject(value)) return [];
  const missing: Fault = { type: "missing", msg: "Field required", at: "type" };
  const named = typeof value["type"] === "string" || typeof value["platform"] === "string";
  const { url: _, ...rest } = value;
  return [...("type" in value || named ? [] : [missing]), ...shortTextFaults(rest, max)];
}

/** Allows at most one main entry. Also accepts an empty string in place of a list. */
function entryListFaults(value: Json, of: EntryKind): readonly Fault[] {
  if (typeof value === "string" && value !== "") {
    return [{ type: "list_type", msg: "Input should be a valid list" }];
  }
  if (!Array.isArray(value)) return [];
  const mains = value.filter((entry) => isObject(entry) && isMainType(entry["type"]));
  return mains.length < 2
    ? []
    : [valueError(`${of}_list has ${mains.length} entries of type Main`)];
}

function entryFaults(value: Json, of: EntryKind): readonly Fault[] {
  return isObject(value) ? shortTextFaults(unknownMembers(of, value), ENTRY_MEMBER_MAX) : [];
}

/**
 * Checks rules that involve several members: one of several fields is required, dates must exist, flags must be
 * consistent, and sums must not be too large.
 */
function recordFaults(
  body: Json,
  { type: name, purpose }: { readonly type: RecordName; readonly purpose: Purpose },
): readonly Fault[] {
  if (!isObject(body)) return [];
  const type: RecordType = RECORD_TYPES[name];
  return [
    ...(purpose === "create" ? [...oneOfFaults(type, body), ...newSumFaults(type, body)] : []),
    ...dateFaults(body),
    ...mirrorFaults(type, body),
  ];
}

/** A change is checked later, because only the stored record shows whether a sum is stored (write/changes.ts). */
function newSumFaults(type: RecordType, body: Readonly<Record<string, Json>>): readonly Fault[] {
  const sums = Object.keys(type.follows ?? {}).filter((sum) => (body[sum] ?? null) === null);
  return sumFaults(type, body, sums);
}

function oneOfFaults(type: RecordType, body: Readonly<Record<string, Json>>): readonly Fault[] {
  const { oneOf } = type;
  if (oneOf === undefined || oneOf.some((field) => (body[field] ?? null) !== null)) return [];
  return [valueError(`at least one of ${oneOf.join(" or ")} is required`)];
}

/**
 * Rejects nonexistent dates such as February 31, and reports the fault on `birth_day`. If the year is unknown, February
 * 29 is allowed.
 */
export function dateFaults(body: Readonly<Record<string, Json>>): readonly Fault[] {
  const [year, month, day] = ["birth_year", "birth_month", "birth_day"].map((part) =>
    isDigits(body[part]) ? Number(body[part]) : undefined,
  );
  if (month === undefined || day === undefined || month > 12 || day > 31) return [];
  const lastDay = new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate();
  return day <= lastDay
    ? []
    : [valueError("birth_year, birth_month and birth_day must form a valid date", "birth_day")];
}

/**
 * Returns faults for those fields in `names` that have a value although another field's value rules it out
 * (`onlyWhile`).
 */
export const conditionFaults = (
  { fields, onlyWhile = {} }: RecordType,
  values: Readonly<Record<string, Json>>,
  names: readonly string[] = Object.keys(fields),
): readonly Fault[] =>
  Object.entries(onlyWhile).flatMap(([name, { field, is }]) => {
    if (values[field] === is || (values[name] ?? null) === null || !names.includes(name)) return [];
    const sentence = `${name} can be set only while ${field} is ${is}; also send ${field} ${is}, or leave ${name} out`;
    return [valueError(sentence, name)];
  });

const isDigits = (value: Json | undefined): boolean =>
  typeof value === "number" || (typeof value === "string" && /^\d{1,16}$/.test(value));

/** Rejects lines whose sum, which is stored in a field in `names`, would not be accepted if a client sent it back. */
export const sumFaults = (
  { follows = {} }: RecordType,
  values: Readonly<Record<string, Json>>,
  names: readonly string[],
): readonly Fault[] =>
  Object.entries(follows).flatMap(([name, sum]) => {
    const lines = values[sum.lines];
    if (!names.includes(name) || !Array.isArray(lines)) return [];
    const [digits] = moneyFaults(sumOf(sum, lines.filter(isObject)));
    return digits === undefined
      ? []
      : [valueError(`the sum of these has more than ${MONEY_DIGITS_MAX} digits`, sum.lines)];
  });

/** Rejects contradictions such as `is_completed: true` with a status other than completed. */
function mirrorFaults(type: RecordType, body: Readonly<Record<string, Json>>): readonly Fault[] {
  return Object.entries(type.derived).flatMap(([name, derived]) => {
    if (derived.kind !== "mirror") return [];
    const flag = body[name] ?? null;
    const value = body[derived.field] ?? null;
    return flag === null || value === null || flag === (value === derived.value)
      ? []
      : [valueError(`${name} contradicts ${derived.field}`, name)];
  });
}

/** Returns the rules by the names that schemas use. */
export const recordRules = (clock: Clock): Readonly<Record<string, Rule>> => ({
  money: moneyFaults,
  epoch: epochFaults,
  digits: (value: Json, { min, max }: { min: number; max: number | "this year" }) =>
    digitsFaults(value, {
      min,
      max: max === "this year" ? new Date(clock.now_ms()).getUTCFullYear() : max,
    }),
  ssn: ssnFaults,
  short_texts: shortTextFaults,
  social: socialFaults,
  entry_list: entryListFaults,
  entry: entryFaults,
  whole_record: recordFaults,
});
