/**
 * Converts filters to SQL. An SQL condition is true if the condition is met, and otherwise false or null. That is why a
 * negation is written as `(…) is not true`.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { regexSql } from "./regex/index.ts";
import {
  rangesOf,
  type Condition,
  type EntriesField,
  type Filter,
  type Range,
  type Scalar,
} from "./tree/index.ts";

const TRUE = sql`true`;
const FALSE = sql`false`;

/**
 * Returns the SQL condition on the type's columns (columns.ts) and `body`. It is false or null for records that do not
 * match. The names of fields become part of the SQL; they come only from our own files, never from a request.
 */
export function toSql(filter: Filter): Sql {
  switch (filter.op) {
    case "and":
      return joined(filter.of.map(toSql), " and ", TRUE);
    case "or":
      return joined(filter.of.map(toSql), " or ", FALSE);
    case "not":
      return sql`(${toSql(filter.of)}) is not true`;
    default:
      return filter.op === "exists" && filter.field.kind !== "member" ? TRUE : conditionSql(filter);
  }
}

function joined(conditions: readonly Sql[], word: string, none: Sql): Sql {
  const [first, ...others] = conditions;
  if (first === undefined) return none;
  return others.length === 0 ? first : sql`(${join(conditions, word)})`;
}

function conditionSql(condition: Condition): Sql {
  const { field } = condition;
  const { name } = field;
  switch (field.kind) {
    case "value":
      return valueSql(raw(name === "_id" ? "id" : name), condition);
    case "element":
      return valueSql(ELEMENT, condition);
    case "member":
      return condition.op === "exists"
        ? sql`(e.v -> ${raw(`'${name}'`)}) is not null`
        : valueSql(sql`(e.v ->> ${raw(`'${name}'`)}) collate "C"`, condition);
    case "texts":
      return textsSql(raw(name), condition);
    case "entries":
      return entriesSql(field, condition);
  }
}

const ELEMENT = sql`t.v collate "C"`;
const SIGNS = { gt: raw(">"), gte: raw(">="), lt: raw("<"), lte: raw("<=") };

/** A single value: a column or a list element. B-tree indexes support its operators. */
function valueSql(value: Sql, condition: Condition): Sql {
  switch (condition.op) {
    case "eq":
      return equalsSql(value, condition.value);
    case "in":
      return oneOfSql(value, condition.field.type, condition.values);
    case "regex":
      return sql`${value} ~ ${regexSql(condition)}`;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      if (condition.value !== null) return sql`${value} ${SIGNS[condition.op]} ${condition.value}`;
      return condition.op.endsWith("e") ? equalsSql(value, null) : FALSE;
    default:
      return FALSE;
  }
}

const equalsSql = (value: Sql, wanted: Scalar): Sql =>
  wanted === null ? sql`${value} is null` : sql`${value} = ${wanted}`;

function oneOfSql(value: Sql, type: string, wanted: readonly Scalar[]): Sql {
  const values = wanted.filter((one) => one !== null);
  const isAny =
    values.length < 2 || type === "boolean"
      ? values.map((one) => equalsSql(value, one))
      : [sql`${value} = any(${values}::${type === "number" ? NUMBERS : TEXTS})`];
  const isNull = wanted.includes(null) ? [equalsSql(value, null)] : [];
  return joined([...isAny, ...isNull], " or ", FALSE);
}

const NUMBERS = raw("numeric[]");
const TEXTS = raw("text[]");

const strings = (values: readonly Scalar[]): string[] =>
  values.filter((value) => typeof value === "string");

/** A list of strings (tags). A GIN index supports equality. */
function textsSql(column: Sql, condition: Condition): Sql {
  const some = (met: Sql): Sql =>
    sql`exists (select 1 from unnest(${column}) as t(v) where ${met})`;
  switch (condition.op) {
    case "eq":
      return condition.value === null ? FALSE : sql`${column} @> array[${condition.value}::text]`;
    case "in": {
      const values = strings(condition.values);
      return values.length === 0 ? FALSE : sql`${column} && ${values}::text[]`;
    }
    case "all":
      return sql`${column} @> ${condition.values}::text[]`;
    case "list":
      return sql`${column} = ${condition.values}::text[]`;
    case "size":
      return sql`cardinality(${column}) = ${condition.size}`;
    case "some":
      return some(toSql(condition.of));
    default:
      return "value" in condition && condition.value === null
        ? FALSE
        : some(valueSql(ELEMENT, condition));
  }
}

/** A list of entries. The column contains the keys of their main members and has a GIN index. */
function entriesSql(field: EntriesField, condition: Condition): Sql {
  const column = raw(field.name);
  switch (condition.op) {
    case "eq":
      return typeof condition.value === "string"
        ? sql`${column} @> array[${keySql(field, condition.value)}]`
        : FALSE;
    case "in":
      return hasAny(lookupOf(field, strings(condition.values))) ?? FALSE;
    case "regex":
      return sql`exists (select 1 from unnest(${column}) as k(v) where k.v collate "C" ~ ${regexSql(condition)})`;
    case "size":
      return sql`cardinality(${column}) = ${condition.size}`;
    case "some": {
      const { ranges } = rangesOf(condition);
      const found = ranges.flatMap((range) => hasAny(lookupIn(field, range)) ?? []);
      const list = raw(`'${field.name}'`);
      const some = sql`exists (select 1 from json_array_elements(body -> ${list}) as e(v) where ${toSql(condition.of)})`;
      return joined([...found, some], " and ", TRUE);
    }
    default:
      return FALSE;
  }
}

/** A column that contains a list of keys, such as addresses, and the keys to find in it. */
export interface KeyLookup {
  readonly column: Sql;
  readonly keys: readonly Sql[];
}

/** Returns the lookup that finds the records in a range; undefined if the list's key index does not contain it. */
export function lookupIn(field: EntriesField, range: Range): KeyLookup | undefined {
  const isMain = range.field === field.name || range.field === `${field.name}.${field.main}`;
  const values = strings(range.values);
  const isKeys = range.op === "in" && values.length === range.values.length;
  return isMain && isKeys ? lookupOf(field, values) : undefined;
}

function lookupOf(field: EntriesField, values: readonly string[]): KeyLookup | undefined {
  if (values.length === 0) return undefined;
  return { column: raw(field.name), keys: values.map((value) => keySql(field, value)) };
}

const hasAny = (lookup: KeyLookup | undefined): Sql | undefined =>
  lookup && sql`${lookup.column} && array[${join(lookup.keys, ", ")}]`;

/** Converts a string to the form stored in the column: addresses in lowercase, and numbers as digits. */
const keySql = ({ main }: EntriesField, text: string): Sql =>
  main === "email" ? sql`lower(${text.trim()}::text)` : sql`${text.trim()}::text`;
