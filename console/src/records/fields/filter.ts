/**
 * Converts conditions, which users edit, to the equivalent `match_filter_dict`. read-filter.ts converts it back, so that
 * users can continue editing a filter as conditions after they entered it as JSON.
 */

import type { FilterKind } from "../../record/index.ts";
import { containing, escapePattern } from "../../ui/format/index.ts";
import { startOfDay } from "../../ui/days/index.ts";

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
