/** Converts filters to SQL conditions. */

import type { Sql } from "sql-template-tag";
import { allOf, anyOf, FALSE, indexConditions, not, placeOf, type Comparison } from "./places.ts";
import { regexSql } from "./regex/index.ts";
import { rangesOf, type Condition, type Filter } from "./tree/index.ts";

/**
 * Returns the SQL condition on the type's columns (columns.ts) and `body`. It is false or null for records that do not
 * match.
 */
export function toSql(filter: Filter): Sql {
  switch (filter.op) {
    case "and":
      return allOf(filter.of.map(toSql));
    case "or":
      return anyOf(filter.of.map(toSql));
    case "not":
      return not(toSql(filter.of));
    default:
      return conditionSql(filter) ?? FALSE;
  }
}

const SIGNS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const satisfies Record<
  string,
  Comparison
>;

function conditionSql(condition: Condition): Sql | undefined {
  const place = placeOf(condition.field);
  switch (condition.op) {
    case "eq":
      return place.equals(condition.value);
    case "in":
      return place.oneOf(condition.values);
    case "exists":
      return place.exists;
    case "regex":
      return place.matches?.(regexSql(condition));
    case "all":
      return place.list?.has?.(condition.values);
    case "list":
      return place.list?.is?.(condition.values);
    case "size":
      return place.list?.size(condition.size);
    case "some":
      return someSql(condition);
    default:
      return place.compares?.(SIGNS[condition.op], condition.value);
  }
}

function someSql(condition: Condition & { readonly op: "some" }): Sql | undefined {
  const { field, of } = condition;
  const some = placeOf(field).list?.some(toSql(of));
  if (some === undefined || field.kind !== "entries") return some;
  return allOf([...indexConditions(field, rangesOf(condition).ranges), some]);
}
