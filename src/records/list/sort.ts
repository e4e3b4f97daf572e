/** Parses `sort_dict` into sort keys, and converts them to SQL. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { VARIABLE } from "../../platform/database/index.ts";
import { type Issue, ValidationError } from "../../platform/errors/index.ts";
import { isObject, type Json, parseJson } from "../../platform/json/index.ts";
import { queryError } from "../../platform/paging/index.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import {
  type Column,
  sortColumns,
  STAMP_COLUMNS,
  stampColumn,
  STORAGES,
} from "../columns/index.ts";

export interface SortKey {
  readonly column: Column;
  readonly descending: boolean;
  /** Whether the column may be null. Null sorts before everything else. */
  readonly nullable: boolean;
}

/** The sort keys. The last key is always `_id`, so that no two records are equal. */
export type Order = readonly SortKey[];

const KEYS_MAX = 4;

const ID_COLUMN: Column = { name: "id", kind: "id" };
const NEVER_NULL: ReadonlySet<string> = new Set(["id", ...STAMP_COLUMNS]);

const keyOf = (column: Column, descending: boolean): SortKey => ({
  column,
  descending,
  nullable: !NEVER_NULL.has(column.name),
});

/** Returns the default order, newest first: by `_id`, or by a window's timestamp. */
export function defaultOrder({ on, windowHours }: Listing): Order {
  const newest = keyOf(ID_COLUMN, true);
  if (windowHours === undefined) return [newest];
  return [keyOf({ name: stampColumn(on), kind: "number" }, true), newest];
}

/** Parses `sort_dict`. Throws one error that reports all problems. */
export function readOrder(text: string, type: RecordType, listing: Listing): Order {
  const sortable = sortColumns(type, listing);
  const refuse = (sentence: string): never => {
    throw queryError("sort_dict", text, sentence);
  };
  const entries = Object.entries(parseObject(text));
  if (entries.length === 0 || entries.length > KEYS_MAX) {
    refuse(`sort_dict must have 1 to ${KEYS_MAX} fields, not ${entries.length}`);
  }
  const keys = entries.map(([name, direction]) => {
    const column = sortable.get(name);
    if (column === undefined) {
      return refuse(
        `lists cannot be sorted by "${name}"; available fields are: ${[...sortable.keys()].join(", ")}`,
      );
    }
    if (direction !== 1 && direction !== -1) {
      return refuse(`the direction of "${name}" must be 1 (ascending) or -1 (descending)`);
    }
    return keyOf(column, direction === -1);
  });
  const decisive = keys.findIndex(({ column }) => column.name === "id");
  if (decisive !== -1) return distinct(keys.slice(0, decisive + 1));
  return distinct([...keys, keyOf(ID_COLUMN, keys.at(-1)?.descending ?? true)]);
}

/**
 * Drops keys for columns that an earlier key already contains. For example, `timestamp` after `created_ts` has no
 * effect.
 */
const distinct = (keys: Order): Order =>
  keys.filter(({ column }, at) => keys.findIndex((key) => key.column.name === column.name) === at);

function parseObject(text: string): Readonly<Record<string, Json>> {
  const issue = (parts: Pick<Issue, "type" | "msg" | "ctx">): ValidationError =>
    new ValidationError([{ loc: ["query", "sort_dict"], input: text, ...parts }]);
  let parsed: Json;
  try {
    parsed = parseJson(text);
  } catch {
    throw issue({
      type: "json_invalid",
      msg: 'Invalid JSON: sort_dict must be an object such as {"_id": -1}',
      ctx: { error: "not JSON" },
    });
  }
  if (isObject(parsed)) return parsed;
  throw issue({ type: "dict_type", msg: "Input should be a valid dictionary" });
}

/**
 * Returns the `order by` list for these keys. Leaves out `nulls first` and `nulls last` for columns that are never
 * null, so that the order matches the index.
 */
export function orderSql(order: Order): Sql {
  return join(
    order.map(({ column, descending, nullable }) => {
      const direction = descending ? "desc" : "asc";
      const nulls = nullable ? (descending ? " nulls last" : " nulls first") : "";
      return raw(`${column.name} ${direction}${nulls}`);
    }),
  );
}

/** A key's value in a cursor: PostgreSQL's text form, or null. */
export type KeyValue = string | null;

/** A position in a list: the sort keys of a record, or variables in their place. */
export type Place = readonly (KeyValue | typeof VARIABLE)[];

/**
 * Returns conditions for the records after a position, as disjoint ranges in sort order. In the first range, only the
 * last key differs from the position. In the second range, the first key that differs is the second-to-last one, and so
 * on. Each range can use an index. A single condition with `or` cannot.
 */
export function rangesAfter(order: Order, place: Place): readonly Sql[] {
  const [first] = order;
  const isOneWay = order.every((key) => !key.nullable && key.descending === first?.descending);
  return first !== undefined && order.length > 1 && isOneWay
    ? [asOneRow(first, order, place)]
    : asParts(order, place);
}

/**
 * Compares the keys as a row. This is possible because they are never null and have the same direction. The result is
 * one index range. The first key is also bounded separately. Otherwise, if another condition such as a window's end
 * bounds that key, the scan would start at that bound instead of at the row.
 */
function asOneRow(first: SortKey, order: Order, place: Place): Sql {
  const names = raw(order.map(({ column }) => column.name).join(", "));
  const values = order.map(({ column }, at) => typed(column, place[at] ?? ""));
  const beyond = raw(first.descending ? "<" : ">");
  return sql`
    ${raw(first.column.name)} ${beyond}= ${values[0]} and (${names}) ${beyond} (${join(values)})`;
}

function asParts(order: Order, place: Place): readonly Sql[] {
  return order
    .map((_, at) => order.length - 1 - at)
    .flatMap((last) => {
      const equal = order.slice(0, last).map((key, at) => equals(key, place[at] ?? null));
      return beyond(order[last] as SortKey, place[last] ?? null).map((range) =>
        join([...equal, range], " and "),
      );
    });
}

const equals = ({ column }: SortKey, value: Place[number]): Sql =>
  value === null
    ? raw(`${column.name} is null`)
    : sql`${raw(column.name)} = ${typed(column, value)}`;

function beyond({ column, descending, nullable }: SortKey, value: Place[number]): Sql[] {
  const name = raw(column.name);
  if (value === null) return descending ? [] : [sql`${name} is not null`];
  if (!descending) return [sql`${name} > ${typed(column, value)}`];
  const less = sql`${name} < ${typed(column, value)}`;
  return nullable ? [less, sql`${name} is null`] : [less];
}

const typed = ({ name, kind }: Column, value: NonNullable<Place[number]>): Sql =>
  NEVER_NULL.has(name) && kind === "number"
    ? sql`${value}::bigint`
    : STORAGES[kind].cast(sql`${value}`);
