/** Reads filters: as conditions, which users edit, and to find out whether they contain ids. */

import { type Filter, type FilterField, parse } from "../../../../src/records/filter/tree/index.ts";
import type { FilterKind } from "../../record/index.ts";
import { escapePattern } from "../../ui/format/index.ts";
import { dayOf, startOfDay } from "../../ui/days/index.ts";
import { OPERATORS, type Condition, type ConditionRows, type ConditionValue } from "./filter.ts";

/** The kinds of the fields that a list can be filtered by, by name. */
export type Kinds = ReadonlyMap<string, FilterKind>;

/** Returns the conditions for a filter; undefined if it is invalid or conditions cannot express it. */
export function rowsOf(text: string, kinds: Kinds): ConditionRows | undefined {
  const { filter, issues } = read(text, kinds);
  if (issues.length > 0) return undefined;
  const only = readCondition(filter, kinds);
  if (only !== undefined) return { isAny: false, conditions: [only] };
  if (filter.op !== "and" && filter.op !== "or") return undefined;
  const conditions = filter.of.map((part) => readCondition(part, kinds));
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length === conditions.length
    ? { isAny: filter.op === "or", conditions: known }
    : undefined;
}

/** Whether a filter uses `_id` or ObjectId('…'). */
export const usesIds = (text: string, kinds: Kinds): boolean => read(text, kinds).usesIds;

/** The service checks patterns, and it parses phone numbers. */
const read = (text: string, kinds: Kinds) =>
  parse(text, {
    fields: new Map([...kinds].map(([name, kind]) => [name, fieldNamed(name, kind)])),
    evalObjectId: false,
    phoneKey: (number) => number,
    regexFault: () => undefined,
  });

function fieldNamed(name: string, kind: FilterKind): FilterField {
  switch (kind) {
    case "number":
    case "day":
      return { kind: "value", name, type: "number" };
    case "flag":
      return { kind: "value", name, type: "boolean" };
    case "tags":
      return { kind: "texts", name, type: "string" };
    case "entries":
      return { kind: "entries", name, type: "string", main: "email" };
    default: {
      const ids = kind === "reference" || kind === "partner" || kind === "person";
      return { kind: "value", name, type: "string", ids };
    }
  }
}

type Operation = Pick<Condition, "operator" | "values">;

/** Returns the condition that a filter stands for, if the kind of its field supports it. */
function readCondition(filter: Filter, kinds: Kinds): Condition | undefined {
  const field = fieldOf(filter);
  const kind = field === undefined ? undefined : kinds.get(field);
  if (field === undefined || kind === undefined) return undefined;
  const found = readOperation(filter, kind);
  return found !== undefined && OPERATORS[kind].includes(found.operator)
    ? { field, ...found }
    : undefined;
}

/** Returns the name of the field to which all conditions of a filter apply. */
function fieldOf(filter: Filter): string | undefined {
  switch (filter.op) {
    case "not":
      return fieldOf(filter.of);
    case "and":
    case "or": {
      const [name, ...others] = new Set(filter.of.map(fieldOf));
      return others.length === 0 ? name : undefined;
    }
    default:
      return filter.field.name;
  }
}

function readOperation(filter: Filter, kind: FilterKind): Operation | undefined {
  switch (filter.op) {
    case "eq":
      return readValue(filter.value, kind);
    case "in":
      return ofValues("in", filter.values);
    case "all":
      return ofValues("all", filter.values);
    case "size":
      return filter.size === 0 ? { operator: "empty", values: [] } : undefined;
    case "not":
      return readNegated(filter.of);
    case "regex":
      return filter.options === "i" ? readPattern(filter.pattern) : undefined;
    case "gt":
    case "lte":
      return kind === "number" ? ofValues(filter.op, [filter.value]) : undefined;
    case "gte":
    case "lt":
      return readBound(filter.op, filter.value, kind);
    case "and":
      return readBetween(filter.of, kind);
    default:
      return undefined;
  }
}

function ofValues(
  operator: Condition["operator"],
  values: readonly (ConditionValue | boolean | null)[],
): Operation | undefined {
  const plain = values.filter((value) => typeof value === "string" || typeof value === "number");
  return plain.length === values.length ? { operator, values: plain } : undefined;
}

function readValue(
  value: ConditionValue | boolean | null,
  kind: FilterKind,
): Operation | undefined {
  if (value === null) return { operator: "empty", values: [] };
  if (typeof value === "boolean") return { operator: value ? "yes" : "no", values: [] };
  return ofValues(OPERATORS[kind].includes("is") ? "is" : "in", [value]);
}

function readNegated(filter: Filter): Operation | undefined {
  switch (filter.op) {
    case "eq":
      return filter.value === null
        ? { operator: "filled", values: [] }
        : ofValues("is_not", [filter.value]);
    case "in":
      return ofValues("not_in", filter.values);
    case "size":
      return filter.size === 0 ? { operator: "filled", values: [] } : undefined;
    default:
      return undefined;
  }
}

function readBound(op: "gte" | "lt", value: unknown, kind: FilterKind): Operation | undefined {
  if (typeof value !== "number") return undefined;
  if (kind === "number") return { operator: op, values: [value] };
  if (!isMidnight(value)) return undefined;
  return { operator: op === "gte" ? "on_or_after" : "before", values: [dayOf(value)] };
}

/** Reads two bounds as `between`: both inclusive for numbers, and the first moment after the last day for days. */
function readBetween(parts: readonly Filter[], kind: FilterKind): Operation | undefined {
  const boundOf = (wanted: "gte" | "lte" | "lt"): number | undefined => {
    const bound = parts.find(({ op }) => op === wanted);
    return bound !== undefined && "value" in bound && typeof bound.value === "number"
      ? bound.value
      : undefined;
  };
  const from = boundOf("gte");
  const to = boundOf(kind === "day" ? "lt" : "lte");
  if (parts.length !== 2 || from === undefined || to === undefined) return undefined;
  if (kind !== "day") return { operator: "between", values: [from, to] };
  if (!isMidnight(from) || !isMidnight(to)) return undefined;
  return { operator: "between", values: [dayOf(from), dayOf(to - 1)] };
}

/** Reads a pattern as `contains` or `starts with`, if it consists only of an escaped string. */
function readPattern(pattern: string): Operation | undefined {
  const isStart = pattern.startsWith("^");
  const escaped = isStart ? pattern.slice(1) : pattern;
  const text = escaped.replaceAll(/\\([\\^$.*+?()[\]{}|])/g, "$1");
  if (escapePattern(text) !== escaped) return undefined;
  return { operator: isStart ? "starts" : "contains", values: [text] };
}

const isMidnight = (at_s: number): boolean => startOfDay(dayOf(at_s)) === at_s;
