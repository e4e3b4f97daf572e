/** Rules that JSON Schema cannot express. Schemas refer to them by name in `x-rule`. */

import type { Clock } from "../../platform/clock/index.ts";
import { isObject, type Json } from "../../platform/json/index.ts";
import { valueError, type Fault, type Rule } from "../../platform/validation/index.ts";
import { fieldKinds, MONEY_DIGITS_MAX, moneyFaults, type Purpose } from "../kinds/index.ts";
import type { RecordType } from "../types/index.ts";
import { sumOf } from "../body/index.ts";

/**
 * Checks rules that involve several members: one of several fields is required, dates must exist, flags must be
 * consistent, and sums must not be too large.
 */
function recordFaults(
  body: Json,
  { type, purpose }: { readonly type: RecordType; readonly purpose: Purpose },
): readonly Fault[] {
  if (!isObject(body)) return [];
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
  ...Object.fromEntries(fieldKinds.flatMap((kind) => Object.entries(kind.rules?.(clock) ?? {}))),
  whole_record: recordFaults,
});
