/** The values in filters: their types, their stored form, and ids. */

import type { Json, JsonObject } from "../../../platform/json/index.ts";
import {
  NOTHING,
  type Filter,
  type FilterField,
  type FilterFields,
  type RegexSource,
  type Scalar,
} from "./filter.ts";
import { VALUES_MAX, type Findings } from "./findings.ts";
import { isObject, looksLikeObjectId, objectIdOf } from "./object-ids.ts";

export interface ParseContext {
  readonly fields: FilterFields;
  /** Whether `_id` and ObjectId('…') are allowed. */
  readonly evalObjectId: boolean;
  /** Returns the form in which a phone number is stored. */
  readonly phoneKey: (text: string) => string;
  /** Returns the reason why a pattern is not supported; undefined if it is. */
  readonly regexFault: (regex: RegexSource) => string | undefined;
}

/** The current position while a filter is being parsed. */
export interface Here {
  readonly context: ParseContext;
  readonly findings: Findings;
  /** The path of the position, such as `$or.0.name.$in`, or "" at the top level. */
  readonly at: string;
  /** The number of condition objects that enclose the position. */
  readonly depth: number;
  /** Parses a condition object on these fields. */
  readonly query: (query: JsonObject, fields: FilterFields, here: Here) => Filter;
}

export const below = (here: Here, step: string | number): Here => ({
  ...here,
  at: here.at === "" ? String(step) : `${here.at}.${step}`,
});

/** Reports a problem. The result stands for the part that cannot be parsed. */
export function refuse(here: Here, reason: string): Filter {
  here.findings.refuse(here.at, reason);
  return NOTHING;
}

export const isString = (value: unknown): value is string => typeof value === "string";

export function scalars(
  field: FilterField,
  operand: Json,
  here: Here,
): readonly Scalar[] | undefined {
  if (!Array.isArray(operand)) return nothing(here, "must be a list of values");
  if (operand.length > VALUES_MAX) return nothing(here, `must have at most ${VALUES_MAX} values`);
  const values = operand.map((value: Json, i) => scalar(field, value, below(here, i)));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

/** Returns a value in its stored form. If the value can never match, reports it and returns undefined. */
export function scalar(field: FilterField, operand: Json, here: Here): Scalar | undefined {
  const takesIds = field.kind === "value" && field.ids === true;
  if (looksLikeObjectId(operand) && (takesIds || isObject(operand))) {
    return id(takesIds, operand, here);
  }
  if (operand === null) return null;
  if (typeof operand === field.type) {
    if (typeof operand === "string") {
      return isText(operand, here) ? storedText(field, operand, here) : undefined;
    }
    if (typeof operand === "boolean") return operand;
    if (typeof operand === "number" && Number.isFinite(operand)) return operand;
  }
  return nothing(here, `must be a ${field.type} or null`);
}

function storedText(field: FilterField, text: string, { context }: Here): string {
  if (field.kind === "entries" && field.main === "phone") return context.phoneKey(text);
  return field.kind === "value" ? (field.spellings?.[text] ?? text) : text;
}

function id(takesIds: boolean, operand: Json, here: Here): string | undefined {
  if (!takesIds) return nothing(here, "ObjectId('…') can be used only for ids");
  here.findings.usesIds = true;
  if (!here.context.evalObjectId) {
    return nothing(here, "ObjectId('…') can be used only with eval_object_id=true");
  }
  return (
    objectIdOf(operand) ??
    nothing(here, "ObjectId('…') must contain 24 hexadecimal characters in quotes")
  );
}

/** Rejects U+0000 and unpaired surrogates, which PostgreSQL cannot store. */
export function isText(text: string, { findings }: Here): boolean {
  if (text.isWellFormed() && !text.includes("\0")) return true;
  findings.issues.push({
    type: "string_unicode",
    msg: "Input should be a valid string, unable to parse raw data as a unicode string",
  });
  return false;
}

function nothing(here: Here, reason: string): undefined {
  here.findings.refuse(here.at, reason);
  return undefined;
}
