/**
 * What a condition of a filter can be put on, and how it reads in SQL there: a column with one value,
 * a list of texts, a list of entries, a member of entries. Every expression is true where the
 * condition holds and false or null elsewhere, so that a negation is `(…) is not true`.
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

/** A field or member under a condition. What it lacks, its kind of value could never match. */
export interface Place {
  /** The type of its values, lists apart; null may be asked for everywhere. */
  readonly type: "string" | "number" | "boolean";
  /** Whether ObjectId('…') may be said for a value. */
  readonly ids: boolean;
  /** A value as it is stored: other spellings and ways of typing are seen through. */
  readonly stored: (value: Scalar) => Scalar;
  readonly exists: Sql;
  readonly equals: (value: Scalar) => Sql;
  readonly oneOf: (values: readonly Scalar[]) => Sql;
  readonly compares?: (how: Comparison, value: Scalar) => Sql;
  /** Takes a printer, since some places match without regard to case. */
  readonly matches?: (print: (moreOptions: string) => string) => Sql;
  readonly list?: List;
  /** The records that equal one of these values, where a key's index finds them. */
  readonly lookUp?: (values: readonly string[]) => KeyLookUp | undefined;
}

/** A list column of keys, such as addresses, and the keys to find in it. */
export interface KeyLookUp {
  readonly column: Sql;
  readonly keys: readonly Sql[];
}

/** What only lists can be asked. */
interface List {
  readonly size: (count: number) => Sql;
  /** The list is exactly these values, in this order. Lists of entries are no lists of strings. */
  readonly is?: (values: readonly string[]) => Sql;
  /** The list has all of these values among its own, asked in one condition. */
  readonly has?: (values: readonly string[]) => Sql;
  /** Some element of the list meets a condition on `element` or on its `members`. */
  readonly some: (condition: Sql) => Sql;
  readonly element?: Place;
  readonly members?: ReadonlyMap<string, Place>;
  /** What an index finds for `{$elemMatch: {member: values}}`: all that can match, and maybe more. */
  readonly lookUp?: (member: string, values: readonly string[]) => KeyLookUp | undefined;
}

type ValueKind = Extract<ColumnKind, "text" | "number" | "flag" | "id">;

const TYPES = { text: "string", id: "string", number: "number", flag: "boolean" } as const;

interface ValueOptions {
  readonly exists?: Sql;
  readonly ids?: boolean;
  readonly spellings?: Readonly<Record<string, string>>;
}

/** One value: a column, or an element of a list. Plain operators, which btree indexes serve. */
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
    ...(isText && { matches: (print) => sql`${value} ~ ${print("")}` }),
  };
}

const among = (value: Sql, kind: ValueKind, values: readonly Scalar[]): Sql =>
  kind === "number"
    ? sql`${value} = any(${values}::numeric[])`
    : sql`${value} = any(${values}::text[])`;

const strings = (values: readonly Scalar[]): string[] =>
  values.filter((v) => typeof v === "string");

/** A list of texts (tags). A condition holds where some element meets it; a GIN index serves equality. */
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
    matches: (print) => some(sql`t.v collate "C" ~ ${print("")}`),
    list: {
      size: (count) => sql`cardinality(${column}) = ${count}`,
      is: (values) => sql`${column} = ${values}::text[]`,
      has: (values) => sql`${column} @> ${values}::text[]`,
      some,
      element,
    },
  };
}

/** How the main member of a list of entries is compared. */
export interface Entries {
  readonly column: Sql;
  /** The list's name in the record. */
  readonly name: string;
  /** The member that a plain string means. */
  readonly main: string;
  /** A text as the column holds it. */
  readonly key: (text: string) => Sql;
  readonly stored: (text: string) => string;
  /** Options that every regular expression on the main member has. */
  readonly options: string;
}

/** A list of entries, asked by its main member; the column holds the keys, for a GIN index. */
export function onEntries(entries: Entries): Place {
  const { column, key } = entries;
  const members = new Map([entries.main, "type"].map((name) => [name, onEntryMember(name)]));
  return {
    type: "string",
    ids: false,
    stored: (value) => (typeof value === "string" ? entries.stored(value) : value),
    exists: TRUE,
    equals: (value) => (typeof value === "string" ? sql`${column} @> array[${key(value)}]` : FALSE),
    oneOf: (values) => hasAny(lookUpOf(entries, strings(values))) ?? FALSE,
    matches: (print) =>
      sql`exists (select 1 from unnest(${column}) as k(v) where k.v collate "C" ~ ${print(entries.options)})`,
    list: {
      size: (count) => sql`cardinality(${column}) = ${count}`,
      some: (condition) => someEntry(entries, condition),
      members,
      lookUp: (member, values) => (member === entries.main ? lookUpOf(entries, values) : undefined),
    },
    lookUp: (values) => lookUpOf(entries, values.map(entries.stored)),
  };
}

/** `email_list.type`: some entry's member meets the condition, compared as it is. */
export function onMember(entries: Entries, member: string): Place {
  const inner = onEntryMember(member);
  const lookUp = (values: readonly string[]): KeyLookUp | undefined =>
    member === entries.main ? lookUpOf(entries, values) : undefined;
  const some = (condition: Sql, keys: readonly Scalar[] = [null]): Sql => {
    const narrowed = keys.includes(null) ? undefined : hasAny(lookUp(strings(keys)));
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
    lookUp,
  };
}

const onEntryMember = (member: string): Place =>
  onValue(sql`(e.v ->> ${raw(`'${member}'`)}) collate "C"`, "text", {
    exists: sql`(e.v -> ${raw(`'${member}'`)}) is not null`,
  });

const someEntry = ({ name }: Entries, condition: Sql): Sql =>
  sql`exists (select 1 from json_array_elements(body -> ${raw(`'${name}'`)}) as e(v) where ${condition})`;

function lookUpOf({ column, key }: Entries, values: readonly string[]): KeyLookUp | undefined {
  return values.length === 0 ? undefined : { column, keys: values.map(key) };
}

export function hasAny(lookUp: KeyLookUp | undefined): Sql | undefined {
  if (lookUp === undefined) return undefined;
  return sql`${lookUp.column} && array[${join(lookUp.keys, ", ")}]`;
}
