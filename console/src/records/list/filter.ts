/**
 * Converts between conditions, which users edit, and the equivalent `match_filter_dict`. This lets
 * users continue editing a filter as conditions after they entered it as JSON.
 */

import type { FilterKind } from "../../record/index.ts";
import { containing, dayOf, escapePattern, startOfDay } from "../../ui/format/index.ts";

export type Operator =
  | "in"
  | "not_in"
  | "all"
  | "contains"
  | "starts"
  | "is"
  | "is_not"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "between"
  | "on_or_after"
  | "before"
  | "empty"
  | "filled"
  | "yes"
  | "no";

/** The operators for each kind of field. The first one is the default. */
export const OPERATORS: Readonly<Record<FilterKind, readonly Operator[]>> = {
  choice: ["in", "not_in"],
  text: ["contains", "is", "starts", "empty", "filled"],
  number: ["is", "is_not", "gt", "gte", "lt", "lte", "between", "empty", "filled"],
  day: ["on_or_after", "before", "between", "empty", "filled"],
  tags: ["in", "all", "not_in", "empty", "filled"],
  entries: ["contains", "is", "empty", "filled"],
  reference: ["in", "empty", "filled"],
  partner: ["in", "empty", "filled"],
  person: ["in", "not_in"],
  flag: ["yes", "no"],
};

/** A day is a string such as `2026-01-31`, in the user's time zone. */
export type ConditionValue = string | number;

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly ConditionValue[];
}

export interface ConditionRows {
  /** Whether one matching condition is enough. Otherwise, all conditions must match. */
  readonly isAny: boolean;
  readonly conditions: readonly Condition[];
}

type Expression = unknown;
type Filter = Readonly<Record<string, Expression>>;

/** Returns the number of values that an operator takes. `many` means one or more. */
export function valuesOf(operator: Operator): 0 | 1 | 2 | "many" {
  switch (operator) {
    case "empty":
    case "filled":
    case "yes":
    case "no":
      return 0;
    case "in":
    case "not_in":
    case "all":
      return "many";
    case "between":
      return 2;
    default:
      return 1;
  }
}

export function isComplete({ operator, values }: Condition): boolean {
  const wanted = valuesOf(operator);
  const given = values.filter((value) => value !== "");
  return wanted === "many" ? given.length > 0 : given.length >= wanted;
}

/**
 * Returns the filter for these conditions; undefined if there are none. Incomplete conditions are
 * ignored.
 */
export function filterOf(
  { isAny, conditions }: ConditionRows,
  kindOf: (field: string) => FilterKind,
): Filter | undefined {
  const parts = conditions
    .filter(isComplete)
    .map((condition) => ({ [condition.field]: expressionOf(condition, kindOf(condition.field)) }));
  const [only] = parts;
  if (only === undefined || parts.length === 1) return only;
  if (isAny) return { $or: parts };
  const fields = new Set(parts.flatMap((part) => Object.keys(part)));
  return fields.size === parts.length ? Object.assign({}, ...parts) : { $and: parts };
}

function expressionOf({ operator, values }: Condition, kind: FilterKind): Expression {
  const [first = "", second = ""] = values;
  const isList = kind === "tags" || kind === "entries";
  switch (operator) {
    case "in":
      return { $in: values };
    case "not_in":
      return { $nin: values };
    case "all":
      return { $all: values };
    case "contains":
      return containing(String(first));
    case "starts":
      return { $regex: `^${escapePattern(String(first))}`, $options: "i" };
    case "is":
      return first;
    case "is_not":
      return { $ne: first };
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return { [`$${operator}`]: first };
    case "between":
      return kind === "day"
        ? { $gte: startOfDay(String(first)), $lt: startOfDay(String(second), 1) }
        : { $gte: first, $lte: second };
    case "on_or_after":
      return { $gte: startOfDay(String(first)) };
    case "before":
      return { $lt: startOfDay(String(first)) };
    case "empty":
      return isList ? { $size: 0 } : null;
    case "filled":
      return isList ? { $not: { $size: 0 } } : { $ne: null };
    case "yes":
      return true;
    case "no":
      return false;
  }
}

/** Returns the conditions for a filter; undefined if conditions cannot express it. */
export function rowsOf(
  filter: unknown,
  kindOf: (field: string) => FilterKind | undefined,
): ConditionRows | undefined {
  if (!isObject(filter)) return undefined;
  const keys = Object.keys(filter);
  const joined =
    keys.length === 1 && (keys[0] === "$or" || keys[0] === "$and") ? keys[0] : undefined;
  const parts = joined === undefined ? keys.map((key) => ({ [key]: filter[key] })) : filter[joined];
  if (!Array.isArray(parts)) return undefined;
  const conditions = parts.map((part: unknown) => {
    if (!isObject(part)) return undefined;
    const [field, ...others] = Object.keys(part);
    const kind = field === undefined ? undefined : kindOf(field);
    if (field === undefined || kind === undefined || others.length > 0) return undefined;
    const read = readExpression(part[field], kind);
    return read === undefined ? undefined : { field, ...read };
  });
  const all = conditions.filter((condition) => condition !== undefined);
  return all.length === parts.length ? { isAny: joined === "$or", conditions: all } : undefined;
}

type Read = Omit<Condition, "field">;

/** Returns the condition that an expression stands for, if the kind of field supports it. */
function readExpression(expression: Expression, kind: FilterKind): Read | undefined {
  const read = isObject(expression) ? readOperators(expression, kind) : readValue(expression, kind);
  return read !== undefined && OPERATORS[kind].includes(read.operator) ? read : undefined;
}

function readValue(value: unknown, kind: FilterKind): Read | undefined {
  if (value === null) return { operator: "empty", values: [] };
  if (typeof value === "boolean") return { operator: value ? "yes" : "no", values: [] };
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const asksForSome =
    kind === "choice" ||
    kind === "tags" ||
    kind === "reference" ||
    kind === "partner" ||
    kind === "person";
  return { operator: asksForSome ? "in" : "is", values: [value] };
}

function readOperators(expression: Filter, kind: FilterKind): Read | undefined {
  const names = Object.keys(expression).toSorted().join(" ");
  const at = (name: string): ConditionValue => expression[name] as ConditionValue;
  switch (names) {
    case "$in":
    case "$nin":
    case "$all": {
      const values = expression[names];
      if (!Array.isArray(values) || !values.every(isPlain)) return undefined;
      const operator = { $in: "in", $nin: "not_in", $all: "all" } as const;
      return { operator: operator[names], values };
    }
    case "$ne":
      if (expression[names] === null) return { operator: "filled", values: [] };
      return isPlain(at(names)) ? { operator: "is_not", values: [at(names)] } : undefined;
    case "$size":
      return expression[names] === 0 ? { operator: "empty", values: [] } : undefined;
    case "$not":
      return JSON.stringify(expression[names]) === '{"$size":0}'
        ? { operator: "filled", values: [] }
        : undefined;
    case "$options $regex":
      return expression["$options"] === "i" ? readPattern(expression["$regex"]) : undefined;
    case "$gt":
    case "$lte":
      return isNumber(at(names)) && kind === "number"
        ? { operator: names.slice(1) as Operator, values: [at(names)] }
        : undefined;
    case "$gte":
    case "$lt":
      return readBound(names, at(names), kind);
    case "$gte $lte":
      return kind === "number" && isNumber(at("$gte")) && isNumber(at("$lte"))
        ? { operator: "between", values: [at("$gte"), at("$lte")] }
        : undefined;
    case "$gte $lt":
      return readDays(at("$gte"), at("$lt"), kind);
    default:
      return undefined;
  }
}

function readBound(name: "$gte" | "$lt", value: unknown, kind: FilterKind): Read | undefined {
  if (!isNumber(value)) return undefined;
  if (kind === "number") return { operator: name === "$gte" ? "gte" : "lt", values: [value] };
  if (!isMidnight(value)) return undefined;
  return { operator: name === "$gte" ? "on_or_after" : "before", values: [dayOf(value)] };
}

function readDays(from: unknown, to: unknown, kind: FilterKind): Read | undefined {
  if (kind !== "day" || !isNumber(from) || !isNumber(to)) return undefined;
  if (!isMidnight(from) || !isMidnight(to)) return undefined;
  return { operator: "between", values: [dayOf(from), dayOf(to - 1)] };
}

/** Reads a pattern as `contains` or `starts with`, if it consists only of an escaped string. */
function readPattern(pattern: unknown): Read | undefined {
  if (typeof pattern !== "string") return undefined;
  const isStart = pattern.startsWith("^");
  const escaped = isStart ? pattern.slice(1) : pattern;
  const text = escaped.replaceAll(/\\([\\^$.*+?()[\]{}|])/g, "$1");
  if (escapePattern(text) !== escaped) return undefined;
  return { operator: isStart ? "starts" : "contains", values: [text] };
}

const isObject = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNumber = (value: unknown): value is number => typeof value === "number";

const isPlain = (value: unknown): value is ConditionValue =>
  typeof value === "string" || isNumber(value);

const isMidnight = (at_s: number): boolean => startOfDay(dayOf(at_s)) === at_s;
