/**
 * The targets of filter conditions and their SQL. A target is a column with one value, a list of strings, a list of
 * entries, or a member of entries. An SQL expression is true if the condition is met, and otherwise false or null. That
 * is why a negation is written as `(…) is not true`.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { ColumnKind } from "../shape/index.ts";

export type Scalar = string | number | boolean | null;
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

/**
 * A field or member that a condition applies to. Optional operations are omitted if they can never match values of this
 * kind.
 */
export interface Place {
  /** The type of the values or list elements. Null is always allowed. */
  readonly type: "string" | "number" | "boolean";
  /** Whether values can be written as ObjectId('…'). */
  readonly ids: boolean;
  /** Converts a value in any accepted format to its stored form. */
  readonly stored: (value: Scalar) => Scalar;
  readonly exists: Sql;
  readonly equals: (value: Scalar) => Sql;
  readonly oneOf: (values: readonly Scalar[]) => Sql;
  readonly compares?: (how: Comparison, value: Scalar) => Sql;
  /**
   * Matches a regular expression, which `print` formats. If `ignoresCase` is true, letters match regardless of case
   * even where the pattern distinguishes it.
   */
  readonly matches?: (print: (ignoresCase: boolean) => string) => Sql;
  readonly list?: List;
  /** Finds the records that equal one of these values, if a key index contains them. */
  readonly lookup?: (values: readonly string[]) => KeyLookup | undefined;
}

/** A column that contains a list of keys, such as addresses, and the keys to find in it. */
export interface KeyLookup {
  readonly column: Sql;
  readonly keys: readonly Sql[];
}

/** Conditions that only lists support. */
interface List {
  readonly size: (count: number) => Sql;
  /**
   * Whether the list consists of exactly these values, in this order. Omitted for emails and phone numbers, which are
   * objects.
   */
  readonly is?: (values: readonly string[]) => Sql;
  /** Whether the list contains all of these values, as a single condition. */
  readonly has?: (values: readonly string[]) => Sql;
  /** Whether at least one element meets a condition on `element` or on its `members`. */
  readonly some: (condition: Sql) => Sql;
  readonly element?: Place;
  readonly members?: ReadonlyMap<string, Place>;
  /** An index lookup for `{$elemMatch: {member: values}}`, which returns a superset of the matches. */
  readonly lookup?: (member: string, values: readonly string[]) => KeyLookup | undefined;
}

type ValueKind = Extract<ColumnKind, "text" | "number" | "flag" | "id">;

const TYPES = { text: "string", id: "string", number: "number", flag: "boolean" } as const;

interface ValueOptions {
  readonly exists?: Sql;
  readonly ids?: boolean;
  readonly spellings?: Readonly<Record<string, string>>;
}

/** Returns the place for a single value: a column or a list element. B-tree indexes support its operators. */
export function onValue(value: Sql, kind: ValueKind, o: ValueOptions = {}): Place {
  const isText = TYPES[kind] === "string";
  const equals = (wanted: Scalar): Sql =>
    wanted === null ? sql`${value} is null` : sql`${value} = ${wanted}`;
  return {
    type: TYPES[kind],
    ids: o.ids ?? kind === "id",
    stored: (wanted) => (typeof wanted === "string" ? (o.spellings?.[wanted] ?? wanted) : wanted),
    exists: o.exists ?? TRUE,
    equals,
    oneOf: (wanted) => {
      const values = wanted.filter((v) => v !== null);
      const isAny =
        values.length < 2 || kind === "flag" ? values.map(equals) : [among(value, kind, values)];
      return anyOf(wanted.includes(null) ? [...isAny, equals(null)] : isAny);
    },
    compares: (how, wanted) => {
      if (wanted === null) return how.endsWith("=") ? equals(null) : FALSE;
      return sql`${value} ${raw(how)} ${wanted}`;
    },
    ...(isText && { matches: (print) => sql`${value} ~ ${print(false)}` }),
  };
}

const among = (value: Sql, kind: ValueKind, values: readonly Scalar[]): Sql =>
  kind === "number"
    ? sql`${value} = any(${values}::numeric[])`
    : sql`${value} = any(${values}::text[])`;

const strings = (values: readonly Scalar[]): string[] =>
  values.filter((v) => typeof v === "string");

/**
 * Returns the place for a list of strings (tags). The list meets a condition if at least one element does. A GIN index
 * supports equality.
 */
export function onTexts(column: Sql): Place {
  const element = onValue(sql`t.v collate "C"`, "text");
  const some = (condition: Sql): Sql =>
    sql`exists (select 1 from unnest(${column}) as t(v) where ${condition})`;
  return {
    type: "string",
    ids: false,
    stored: (value) => value,
    exists: TRUE,
    equals: (value) => (value === null ? FALSE : sql`${column} @> array[${value}::text]`),
    oneOf: (values) =>
      strings(values).length === 0 ? FALSE : sql`${column} && ${strings(values)}::text[]`,
    compares: (how, value) =>
      value === null ? FALSE : some(sql`t.v collate "C" ${raw(how)} ${value}`),
    matches: (print) => some(sql`t.v collate "C" ~ ${print(false)}`),
    list: {
      size: (count) => sql`cardinality(${column}) = ${count}`,
      is: (values) => sql`${column} = ${values}::text[]`,
      has: (values) => sql`${column} @> ${values}::text[]`,
      some,
      element,
    },
  };
}

/** Describes how the main member of each entry in a list is compared. */
export interface Entries {
  readonly column: Sql;
  /** The name of the list in the record. */
  readonly name: string;
  /** The member that a plain string is compared with. */
  readonly main: string;
  /** SQL that converts a string to the form stored in the column. */
  readonly key: (text: string) => Sql;
  readonly stored: (text: string) => string;
  /** Whether regular expressions on the keys ignore case, because the keys are in lowercase. */
  readonly ignoresCase: boolean;
}

/**
 * Returns the place for a list of entries, which are compared by their main member. The column contains the keys and
 * has a GIN index.
 */
export function onEntries(entries: Entries): Place {
  const { column, key } = entries;
  const members = new Map([entries.main, "type"].map((name) => [name, onEntryMember(name)]));
  return {
    type: "string",
    ids: false,
    stored: (value) => (typeof value === "string" ? entries.stored(value) : value),
    exists: TRUE,
    equals: (value) => (typeof value === "string" ? sql`${column} @> array[${key(value)}]` : FALSE),
    oneOf: (values) => hasAny(lookupOf(entries, strings(values))) ?? FALSE,
    matches: (print) =>
      sql`exists (select 1 from unnest(${column}) as k(v) where k.v collate "C" ~ ${print(entries.ignoresCase)})`,
    list: {
      size: (count) => sql`cardinality(${column}) = ${count}`,
      some: (condition) => someEntry(entries, condition),
      members,
      lookup: (member, values) => (member === entries.main ? lookupOf(entries, values) : undefined),
    },
    lookup: (values) => lookupOf(entries, values.map(entries.stored)),
  };
}

/**
 * Returns the place for a member, such as `email_list.type`. The record meets a condition if the member of at least one
 * entry does. Values are compared as stored.
 */
export function onMember(entries: Entries, member: string): Place {
  const inner = onEntryMember(member);
  const lookup = (values: readonly string[]): KeyLookup | undefined =>
    member === entries.main ? lookupOf(entries, values) : undefined;
  const some = (condition: Sql, keys: readonly Scalar[] = [null]): Sql => {
    const narrowed = keys.includes(null) ? undefined : hasAny(lookup(strings(keys)));
    return allOf([...(narrowed === undefined ? [] : [narrowed]), someEntry(entries, condition)]);
  };
  return {
    type: "string",
    ids: false,
    stored: (value) => value,
    exists: some(inner.exists),
    equals: (value) => some(inner.equals(value), [value]),
    oneOf: (values) => (values.length === 0 ? FALSE : some(inner.oneOf(values), values)),
    compares: (how, value) => some(inner.compares?.(how, value) ?? FALSE),
    matches: (print) => some(inner.matches?.(print) ?? FALSE),
    lookup,
  };
}

const onEntryMember = (member: string): Place =>
  onValue(sql`(e.v ->> ${raw(`'${member}'`)}) collate "C"`, "text", {
    exists: sql`(e.v -> ${raw(`'${member}'`)}) is not null`,
  });

const someEntry = ({ name }: Entries, condition: Sql): Sql =>
  sql`exists (select 1 from json_array_elements(body -> ${raw(`'${name}'`)}) as e(v) where ${condition})`;

function lookupOf({ column, key }: Entries, values: readonly string[]): KeyLookup | undefined {
  return values.length === 0 ? undefined : { column, keys: values.map(key) };
}

export function hasAny(lookup: KeyLookup | undefined): Sql | undefined {
  if (lookup === undefined) return undefined;
  return sql`${lookup.column} && array[${join(lookup.keys, ", ")}]`;
}
