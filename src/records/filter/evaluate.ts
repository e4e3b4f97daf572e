/** Evaluates filters in memory, on a record as the API returns it. The result is the same as that of the SQL condition. */

import { isObject, sameJson, type Json } from "../../platform/json/index.ts";
import { emailKey } from "../contact-details/index.ts";
import { regexMatches } from "./regex/index.ts";
import type { Condition, EntriesField, Filter, FilterField, Scalar } from "./tree/index.ts";

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
  if (condition.op === "exists" && field.kind !== "member") return true;
  switch (field.kind) {
    case "element":
      return valueMeets(condition, record);
    case "value":
      return valueMeets(condition, memberOf(record, field.name));
    case "member":
      return condition.op === "exists"
        ? isObject(record) && Object.hasOwn(record, field.name)
        : valueMeets(condition, memberOf(record, field.name));
    case "texts":
    case "entries":
      return listMeets(condition, field, memberOf(record, field.name));
  }
}

const memberOf = (value: Json, name: string): Json =>
  isObject(value) ? (value[name] ?? null) : null;

function valueMeets(condition: Condition, value: Json): boolean {
  switch (condition.op) {
    case "eq":
      return value === condition.value;
    case "in":
      return condition.values.some((wanted) => wanted === value);
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

function listMeets(condition: Condition, field: FilterField, list: Json): boolean {
  if (!Array.isArray(list)) return false;
  if (condition.op === "size") return list.length === condition.size;
  if (condition.op === "some") return list.some((item: Json) => evaluate(condition.of, item));
  return field.kind === "entries"
    ? keysMeet(condition, keysOf(field, list), field)
    : textsMeet(condition, list);
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

/** Null is neither greater nor less than other values. Values of different types are not compared. */
function compares(op: "gt" | "gte" | "lt" | "lte", value: Json, wanted: Scalar): boolean {
  if (value === wanted) return op.endsWith("e");
  if (value === null || typeof value !== typeof wanted) return false;
  const isText = typeof value === "string" && typeof wanted === "string";
  const order = isText ? textOrder(value, wanted) : Number(value) - Number(wanted);
  return op.startsWith("g") ? order > 0 : order < 0;
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
