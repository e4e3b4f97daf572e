/** Evaluates filters in memory, on a record as the API returns it. The result is the same as that of the SQL condition. */

import { isObject, sameJson, type Json } from "../../platform/json/index.ts";
import { emailKey } from "../shape/index.ts";
import { regexMatches } from "./regex/index.ts";
import type { Condition, EntriesField, Filter, Scalar, TextsField } from "./tree/index.ts";

/** Whether a record matches a filter. A missing field is null. */
export function evaluate(filter: Filter, record: Json): boolean {
  switch (filter.op) {
    case "and":
      return filter.of.every((part) => evaluate(part, record));
    case "or":
      return filter.of.some((part) => evaluate(part, record));
    case "not":
      return !evaluate(filter.of, record);
    default:
      return meets(filter, record);
  }
}

function meets(condition: Condition, record: Json): boolean {
  const { field } = condition;
  switch (field.kind) {
    case "element":
      return valueMeets(condition, record);
    case "value":
      return valueMeets(condition, memberOf(record, field.name));
    case "entry_member":
      return entryMeets(condition, record, field.name);
    case "member": {
      const entries = listOf(record, field.list.name) ?? [];
      return entries.some((entry) => entryMeets(condition, entry, field.member.name));
    }
    case "texts":
    case "entries":
      return listMeets(condition, field, listOf(record, field.name));
  }
}

const memberOf = (value: Json, name: string): Json =>
  isObject(value) ? (value[name] ?? null) : null;

function listOf(record: Json, name: string): readonly Json[] | undefined {
  const list = memberOf(record, name);
  return Array.isArray(list) ? list : undefined;
}

const entryMeets = (condition: Condition, entry: Json, member: string): boolean =>
  condition.op === "exists"
    ? isObject(entry) && Object.hasOwn(entry, member)
    : valueMeets(condition, memberOf(entry, member));

function valueMeets(condition: Condition, value: Json): boolean {
  switch (condition.op) {
    case "eq":
      return value === condition.value;
    case "in":
      return condition.values.some((wanted) => wanted === value);
    case "exists":
      return true;
    case "regex":
      return typeof value === "string" && regexMatches(condition, value);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return compares(condition.op, value, condition.value);
    default:
      return false;
  }
}

function listMeets(
  condition: Condition,
  field: TextsField | EntriesField,
  list: readonly Json[] | undefined,
): boolean {
  if (condition.op === "exists") return true;
  if (list === undefined) return false;
  if (condition.op === "size") return list.length === condition.size;
  if (condition.op === "some") return list.some((item) => evaluate(condition.of, item));
  return field.kind === "texts"
    ? textsMeet(condition, list)
    : keysMeet(condition, keysOf(field, list), field);
}

function textsMeet(condition: Condition, texts: readonly Json[]): boolean {
  switch (condition.op) {
    case "all":
      return condition.values.every((value) => texts.includes(value));
    case "list":
      return sameJson(condition.values, texts);
    default:
      return texts.some((text) => valueMeets(condition, text));
  }
}

/** Whether entries meet a condition on their main member. */
function keysMeet(condition: Condition, keys: readonly string[], field: EntriesField): boolean {
  const equals = (value: Scalar): boolean =>
    typeof value === "string" && keys.includes(keyOf(field, value));
  if (condition.op === "eq") return equals(condition.value);
  if (condition.op === "in") return condition.values.some(equals);
  return keys.some((key) => valueMeets(condition, key));
}

function keysOf(field: EntriesField, entries: readonly Json[]): readonly string[] {
  const texts = entries.map((entry) => memberOf(entry, field.main));
  return texts.filter((text) => typeof text === "string").map((text) => keyOf(field, text));
}

/** Returns the form in which an address or number is compared. Numbers are already parsed in filters and records. */
const keyOf = ({ main }: EntriesField, text: string): string =>
  main === "email" ? emailKey(text) : text.trim();

/** Null is neither greater nor less than other values. */
function compares(op: "gt" | "gte" | "lt" | "lte", value: Json, wanted: Scalar): boolean {
  if (value === null || wanted === null) return value === wanted && op.endsWith("e");
  const order = orderOf(value, wanted);
  switch (op) {
    case "gt":
      return order > 0;
    case "gte":
      return order >= 0;
    case "lt":
      return order < 0;
    case "lte":
      return order <= 0;
  }
}

/** Returns a negative or positive number, or 0, or NaN if the values have different types. */
function orderOf(a: Json, b: Scalar): number {
  if (typeof a === "string" && typeof b === "string") return textOrder(a, b);
  return typeof a === typeof b ? Number(a) - Number(b) : NaN;
}

/** Compares strings by code point. JavaScript's `<` compares UTF-16 units, so that "😀" would precede "\uffff". */
function textOrder(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === a.length || at === b.length) return a.length - b.length;
  return rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
}

/** Ranks UTF-16 units: surrogates, which stand for the largest code points, come last. */
const rankOf = (unit: number): number => ((unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit);
