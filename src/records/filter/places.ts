/**
 * The SQL of conditions on each kind of field. An SQL expression is true if the condition is met, and otherwise false or
 * null. That is why a negation is written as `(…) is not true`.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { once } from "../../platform/clock/index.ts";
import type { EntriesField, FilterField, Range, Scalar } from "./tree/index.ts";

export type Comparison = "<" | "<=" | ">" | ">=";

const TRUE = sql`true`;
export const FALSE = sql`false`;
export const not = (condition: Sql): Sql => sql`(${condition}) is not true`;
export const allOf = (conditions: readonly Sql[]): Sql => joined(conditions, " and ", TRUE);
export const anyOf = (conditions: readonly Sql[]): Sql => joined(conditions, " or ", FALSE);

function joined(conditions: readonly Sql[], word: string, none: Sql): Sql {
  const [first, ...others] = conditions;
  if (first === undefined) return none;
  return others.length === 0 ? first : sql`(${join(conditions, word)})`;
}

/** The SQL of conditions on a field. Optional operations are omitted if values of this kind do not support them. */
interface Place {
  readonly exists: Sql;
  readonly equals: (value: Scalar) => Sql;
  readonly oneOf: (values: readonly Scalar[]) => Sql;
  readonly compares?: (how: Comparison, value: Scalar) => Sql;
  /** Matches a regular expression in PostgreSQL's syntax. */
  readonly matches?: (regex: string) => Sql;
  readonly list?: List;
}

/** A column that contains a list of keys, such as addresses, and the keys to find in it. */
export interface KeyLookup {
  readonly column: Sql;
  readonly keys: readonly Sql[];
}

/** Conditions that only lists support. */
interface List {
  readonly size: (count: number) => Sql;
  /** Whether the list consists of exactly these values, in this order. */
  readonly is?: (values: readonly string[]) => Sql;
  /** Whether the list contains all of these values, as a single condition. */
  readonly has?: (values: readonly string[]) => Sql;
  /** Whether at least one element meets a condition on the element or its members. */
  readonly some: (condition: Sql) => Sql;
}

/** Returns the SQL of conditions on a field. Names of fields come only from our own files, never from a request. */
export const placeOf = once((field: FilterField): Place => {
  const { name, type } = field;
  switch (field.kind) {
    case "value":
      return onValue(raw(name === "_id" ? "id" : name), type);
    case "element":
      return onValue(sql`t.v collate "C"`, type);
    case "entry_member":
      return onValue(
        sql`(e.v ->> ${raw(`'${name}'`)}) collate "C"`,
        type,
        sql`(e.v -> ${raw(`'${name}'`)}) is not null`,
      );
    case "member":
      return onMember(field.list, field.member);
    case "texts":
      return onTexts(raw(name));
    case "entries":
      return onEntries(field);
  }
});

/** A single value: a column or a list element. B-tree indexes support its operators. */
function onValue(value: Sql, type: FilterField["type"], exists = TRUE): Place {
  const equals = (wanted: Scalar): Sql =>
    wanted === null ? sql`${value} is null` : sql`${value} = ${wanted}`;
  return {
    exists,
    equals,
    oneOf: (wanted) => {
      const values = wanted.filter((v) => v !== null);
      const isAny =
        values.length < 2 || type === "boolean" ? values.map(equals) : [among(value, type, values)];
      return anyOf(wanted.includes(null) ? [...isAny, equals(null)] : isAny);
    },
    compares: (how, wanted) => {
      if (wanted === null) return how.endsWith("=") ? equals(null) : FALSE;
      return sql`${value} ${raw(how)} ${wanted}`;
    },
    ...(type === "string" && { matches: (regex) => sql`${value} ~ ${regex}` }),
  };
}

const among = (value: Sql, type: FilterField["type"], values: readonly Scalar[]): Sql =>
  type === "number"
    ? sql`${value} = any(${values}::numeric[])`
    : sql`${value} = any(${values}::text[])`;

const strings = (values: readonly Scalar[]): string[] =>
  values.filter((v) => typeof v === "string");

/** A list of strings (tags). A GIN index supports equality. */
function onTexts(column: Sql): Place {
  const some = (condition: Sql): Sql =>
    sql`exists (select 1 from unnest(${column}) as t(v) where ${condition})`;
  return {
    exists: TRUE,
    equals: (value) => (value === null ? FALSE : sql`${column} @> array[${value}::text]`),
    oneOf: (values) =>
      strings(values).length === 0 ? FALSE : sql`${column} && ${strings(values)}::text[]`,
    compares: (how, value) =>
      value === null ? FALSE : some(sql`t.v collate "C" ${raw(how)} ${value}`),
    matches: (regex) => some(sql`t.v collate "C" ~ ${regex}`),
    list: {
      size: (count) => sql`cardinality(${column}) = ${count}`,
      is: (values) => sql`${column} = ${values}::text[]`,
      has: (values) => sql`${column} @> ${values}::text[]`,
      some,
    },
  };
}

/** A list of entries. The column contains the keys of their main members and has a GIN index. */
function onEntries(entries: EntriesField): Place {
  const column = raw(entries.name);
  return {
    exists: TRUE,
    equals: (value) =>
      typeof value === "string" ? sql`${column} @> array[${keyOf(entries, value)}]` : FALSE,
    oneOf: (values) => hasAny(lookupOf(entries, strings(values))) ?? FALSE,
    matches: (regex) =>
      sql`exists (select 1 from unnest(${column}) as k(v) where k.v collate "C" ~ ${regex})`,
    list: {
      size: (count) => sql`cardinality(${column}) = ${count}`,
      some: (condition) => someEntry(entries, condition),
    },
  };
}

/** A member of entries. Values are compared as stored. */
function onMember(entries: EntriesField, member: FilterField): Place {
  const inner = placeOf(member);
  const some = (condition: Sql, keys: readonly Scalar[] = [null]): Sql => {
    const canFind = member.name === entries.main && !keys.includes(null);
    const narrowed = canFind ? hasAny(lookupOf(entries, strings(keys))) : undefined;
    return allOf([...(narrowed === undefined ? [] : [narrowed]), someEntry(entries, condition)]);
  };
  return {
    exists: some(inner.exists),
    equals: (value) => some(inner.equals(value), [value]),
    oneOf: (values) => (values.length === 0 ? FALSE : some(inner.oneOf(values), values)),
    compares: (how, value) => some(inner.compares?.(how, value) ?? FALSE),
    matches: (regex) => some(inner.matches?.(regex) ?? FALSE),
  };
}

const someEntry = ({ name }: EntriesField, condition: Sql): Sql =>
  sql`exists (select 1 from json_array_elements(body -> ${raw(`'${name}'`)}) as e(v) where ${condition})`;

/** SQL that converts a string to the form stored in the column: addresses in lowercase, and numbers as digits. */
const keyOf = ({ main }: EntriesField, text: string): Sql =>
  main === "email" ? sql`lower(${text.trim()}::text)` : sql`${text.trim()}::text`;

function lookupOf(entries: EntriesField, values: readonly string[]): KeyLookup | undefined {
  if (values.length === 0) return undefined;
  return { column: raw(entries.name), keys: values.map((value) => keyOf(entries, value)) };
}

/** Returns the lookup that finds the records in a range; undefined if the list's key index does not contain it. */
export function lookupIn(entries: EntriesField, range: Range): KeyLookup | undefined {
  const { name, main } = entries;
  const isMain = range.field === name || range.field === `${name}.${main}`;
  const values = strings(range.values);
  const isKeys = range.op === "in" && values.length === range.values.length;
  return isMain && isKeys ? lookupOf(entries, values) : undefined;
}

function hasAny(lookup: KeyLookup | undefined): Sql | undefined {
  if (lookup === undefined) return undefined;
  return sql`${lookup.column} && array[${join(lookup.keys, ", ")}]`;
}

/** Returns conditions that index lookups support and that all records with a matching entry meet. */
export const indexConditions = (entries: EntriesField, ranges: readonly Range[]): Sql[] =>
  ranges.flatMap((range) => hasAny(lookupIn(entries, range)) ?? []);
