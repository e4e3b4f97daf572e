/**
 * `match_filter_dict` → an SQL condition with MongoDB's meaning. Pure: whatever is
 * wrong with a filter is said here, all of it at once, before anything reaches the database. The
 * page for integrators is docs/filters.md.
 */

import type { Sql } from "sql-template-tag";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import type { Listing, RecordType } from "../types/index.ts";
import { filterFields } from "./fields.ts";
import { below, conditions, lookUpsOf, OPERATORS, refuse, type Here } from "./operators.ts";
import { allOf, anyOf, FALSE, not, type KeyLookUp, type Place } from "./places.ts";
import { DEPTH_MAX, FILTER_BYTES_MAX, FilterReading } from "./reading.ts";
import { parseFilterText } from "./syntax.ts";
import { type CountryCode, sortColumns } from "../shape/index.ts";

export interface FilterContext {
  readonly type: RecordType;
  readonly listing: Listing;
  /** The query parameter eval_object_id: `_id` and ObjectId('…') may be used. */
  readonly evalObjectId: boolean;
  /** The tenant's default country, in which telephone numbers are read. */
  readonly country: CountryCode;
}

const LOGICAL: ReadonlyMap<string, (clauses: readonly Sql[]) => Sql> = new Map([
  ["$and", allOf],
  ["$or", anyOf],
  ["$nor", (clauses: readonly Sql[]) => not(anyOf(clauses))],
]);

/** Every operator there is, for documentation. */
export const FILTER_OPERATORS: readonly string[] = [
  ...LOGICAL.keys(),
  ...OPERATORS.keys(),
  "$options",
];

export interface Filter {
  /** Over the columns of the type's table (columns.ts) and `body`; null where it does not hold. */
  readonly condition: Sql;
  /** What indexes on keys find: every record that meets the condition is in each of them. */
  readonly lookUps: readonly KeyLookUp[];
  /** Whether it is empty or one equality of a column: its records are one range of an index, sorted by `_id`. */
  readonly isOneRange: boolean;
}

/** What a filter asks of a record. Throws a ValidationError with everything that is wrong with it. */
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
    lookUps: filter === undefined ? [] : lookUpsIn(filter, fields),
    isOneRange: filter !== undefined && isOneRange(filter, context),
  };
}

/** Columns that can be sorted by have an index with `_id` after them. */
function isOneRange(query: JsonObject, { type, listing }: FilterContext): boolean {
  const [[name, operand] = [], ...others] = Object.entries(query);
  if (name === undefined) return true;
  const isEquality = typeof operand === "string" && sortColumns(type, listing).has(name);
  return isEquality && others.length === 0;
}

/** The look-ups in conditions that must all hold, of a filter that was read. */
function lookUpsIn(query: JsonObject, fields: ReadonlyMap<string, Place>): readonly KeyLookUp[] {
  return Object.entries(query).flatMap(([name, operand]) => {
    if (name === "$and") {
      return (operand as readonly JsonObject[]).flatMap((clause) => lookUpsIn(clause, fields));
    }
    const place = fields.get(name);
    return place === undefined ? [] : lookUpsOf(place, operand);
  });
}

function read(reading: FilterReading): JsonObject | undefined {
  if (Buffer.byteLength(reading.raw) > FILTER_BYTES_MAX) {
    reading.refuse("", `a filter has at most ${FILTER_BYTES_MAX / 1024} KiB`);
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

/** An object of conditions, all of which must hold: on the fields by name, or logical operators. */
function readQuery(query: JsonObject, fields: ReadonlyMap<string, Place>, outer: Here): Sql {
  const here = { ...outer, depth: outer.depth + 1 };
  if (here.depth > DEPTH_MAX) return refuse(here, `conditions nest at most ${DEPTH_MAX} deep`);
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
    return [refuse(here, "takes a list of at least one object of conditions")];
  }
  return operand.map((clause: Json, i) =>
    isObject(clause)
      ? readQuery(clause, fields, below(here, i))
      : refuse(below(here, i), "takes an object of conditions"),
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
    return refuse(here, "_id is filtered only with eval_object_id=true");
  }
  return conditions(place, operand, here);
}

function whyNot(name: string, fields: ReadonlyMap<string, Place>, { reading }: Here): string {
  if (OPERATORS.has(name)) return "this operator goes below a field's name";
  if (name.startsWith("$")) return `unknown operator; known are ${FILTER_OPERATORS.join(", ")}`;
  const known = [...fields.keys()].map((field) =>
    field === "_id" && !reading.evalObjectId ? "_id (with eval_object_id=true)" : field,
  );
  return `not a field to filter by here; these are: ${known.join(", ")}`;
}
