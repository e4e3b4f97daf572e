/**
 * Compiles `match_filter_dict` to an SQL condition with MongoDB's semantics. This needs no database: all errors in a
 * filter are reported together, before any query. docs/filters.md describes filters for integrators.
 */

import type { Sql } from "sql-template-tag";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import type { Listing, RecordType } from "../types/index.ts";
import { filterFields } from "./fields.ts";
import {
  below,
  conditions,
  lookupsOf,
  OPERATORS,
  refuse,
  wantedStrings,
  type Here,
} from "./operators.ts";
import { allOf, anyOf, FALSE, not, type KeyLookup, type Place } from "./places.ts";
import { DEPTH_MAX, FILTER_BYTES_MAX, FilterReading } from "./reading.ts";
import { parseFilterText } from "./syntax.ts";
import { type CountryCode, sortColumns } from "../shape/index.ts";

export interface FilterContext {
  readonly type: RecordType;
  readonly listing: Listing;
  /** The query parameter eval_object_id, which allows `_id` and ObjectId('…'). */
  readonly evalObjectId: boolean;
  /** The tenant's default country, for parsing phone numbers. */
  readonly country: CountryCode;
}

const LOGICAL: ReadonlyMap<string, (clauses: readonly Sql[]) => Sql> = new Map([
  ["$and", allOf],
  ["$or", anyOf],
  ["$nor", (clauses: readonly Sql[]) => not(anyOf(clauses))],
]);

/** The names of all operators, for the documentation. */
export const FILTER_OPERATORS: readonly string[] = [
  ...LOGICAL.keys(),
  ...OPERATORS.keys(),
  "$options",
];

export interface Filter {
  /**
   * The SQL condition on the type's columns (columns.ts) and `body`. It is false or null for records that do not match.
   */
  readonly condition: Sql;
  /** Lookups in key indexes. Each returns a superset of the matching records. */
  readonly lookups: readonly KeyLookup[];
  /**
   * Whether the filter is empty or a single equality on a column. If so, the matching records form one range of an
   * index, sorted by `_id`.
   */
  readonly isOneRange: boolean;
  /** Whether the condition takes almost no time per record. */
  readonly isPlain: boolean;
}

/** Compiles a filter. Throws a ValidationError that lists all problems. */
export function compileFilter(raw: string, context: FilterContext): Filter {
  const reading = new FilterReading(raw, context.evalObjectId);
  const fields = filterFields(context.type, context.listing, context.country);
  const filter = read(reading);
  const condition =
    filter === undefined
      ? FALSE
      : readQuery(filter, fields, { reading, at: "", depth: 0, query: readQuery });
  reading.finish();
  return {
    condition,
    lookups: filter === undefined ? [] : lookupsIn(filter, fields),
    isOneRange: filter !== undefined && isOneRange(filter, context),
    isPlain: filter !== undefined && isPlain(filter, context),
  };
}

/** In the index of every sortable column, the next column is `_id`. */
function isOneRange(query: JsonObject, { type, listing }: FilterContext): boolean {
  const [[name, operand] = [], ...others] = Object.entries(query);
  if (name === undefined) return true;
  const isEquality = typeof operand === "string" && sortColumns(type, listing).has(name);
  return isEquality && others.length === 0;
}

/** Whether there is at most one condition per column, and each requires the column to equal or contain given values. */
const isPlain = (query: JsonObject, { listing }: FilterContext): boolean =>
  Object.entries(query).every(
    ([name, operand]) =>
      listing.filter.includes(name) &&
      (!isObject(operand) || Object.keys(operand).length === 1) &&
      wantedStrings(operand) !== undefined,
  );

/** Returns lookups for those conditions of a checked filter that are combined with AND. */
function lookupsIn(query: JsonObject, fields: ReadonlyMap<string, Place>): readonly KeyLookup[] {
  return Object.entries(query).flatMap(([name, operand]) => {
    if (name === "$and") {
      return (operand as readonly JsonObject[]).flatMap((clause) => lookupsIn(clause, fields));
    }
    const place = fields.get(name);
    return place === undefined ? [] : lookupsOf(place, operand);
  });
}

function read(reading: FilterReading): JsonObject | undefined {
  if (Buffer.byteLength(reading.raw) > FILTER_BYTES_MAX) {
    reading.refuse("", `a filter can have at most ${FILTER_BYTES_MAX / 1024} KiB`);
    return undefined;
  }
  let value: Json;
  try {
    value = parseFilterText(reading.raw);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    reading.add({ type: "json_invalid", msg: `Invalid JSON: ${reason}`, ctx: { error: reason } });
    return undefined;
  }
  if (isObject(value)) return value;
  reading.add({ type: "dict_type", msg: "Input should be a valid dictionary" });
  return undefined;
}

/** Compiles an object of field conditions and logical operators, which are combined with AND. */
function readQuery(query: JsonObject, fields: ReadonlyMap<string, Place>, outer: Here): Sql {
  const here = { ...outer, depth: outer.depth + 1 };
  if (here.depth > DEPTH_MAX)
    return refuse(here, `conditions can be nested at most ${DEPTH_MAX} levels deep`);
  const entries = Object.entries(query);
  if (entries.length === 0) here.reading.countCondition();
  return allOf(
    entries.map(([name, operand]) => {
      const combine = LOGICAL.get(name);
      return combine === undefined
        ? readField(name, operand, fields, here)
        : combine(readClauses(operand, fields, below(here, name)));
    }),
  );
}

function readClauses(operand: Json, fields: ReadonlyMap<string, Place>, here: Here): Sql[] {
  if (!Array.isArray(operand) || operand.length === 0) {
    return [refuse(here, "must be a list of at least one object with conditions")];
  }
  return operand.map((clause: Json, i) =>
    isObject(clause)
      ? readQuery(clause, fields, below(here, i))
      : refuse(below(here, i), "must be an object with conditions"),
  );
}

function readField(
  name: string,
  operand: Json,
  fields: ReadonlyMap<string, Place>,
  outer: Here,
): Sql {
  const here = below(outer, name);
  const place = fields.get(name);
  if (place === undefined) return refuse(here, whyNot(name, fields, here));
  if (name === "_id" && !here.reading.evalObjectId) {
    return refuse(here, "_id can be used only with eval_object_id=true");
  }
  return conditions(place, operand, here);
}

function whyNot(name: string, fields: ReadonlyMap<string, Place>, { reading }: Here): string {
  if (OPERATORS.has(name)) return "this operator must be below the name of a field";
  if (name.startsWith("$"))
    return `unknown operator; supported operators are ${FILTER_OPERATORS.join(", ")}`;
  const known = [...fields.keys()].map((field) =>
    field === "_id" && !reading.evalObjectId ? "_id (with eval_object_id=true)" : field,
  );
  return `this list cannot be filtered by this field; available fields are: ${known.join(", ")}`;
}
