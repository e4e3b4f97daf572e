/**
 * Reads filters of lists: parses them, converts them to SQL, and determines how the list can be read. This needs no
 * database: all errors in a filter are reported together, before any query.
 */

import type { Sql } from "sql-template-tag";
import { ValidationError } from "../../platform/errors/index.ts";
import type { Listing, RecordType } from "../types/index.ts";
import { filterFields } from "./fields.ts";
import { type CountryCode, phoneKey } from "../contact-details/index.ts";
import { sortColumns } from "../columns/index.ts";
import { regexFault } from "./regex/index.ts";
import { lookupIn, toSql, type KeyLookup } from "./to-sql.ts";
import { parse, rangesOf, type Filter, type FilterFields, type Range } from "./tree/index.ts";

export interface FilterContext {
  readonly type: RecordType;
  readonly listing: Listing;
  /** The query parameter eval_object_id, which allows `_id` and ObjectId('…'). */
  readonly evalObjectId: boolean;
  /** The tenant's default country, for parsing phone numbers. */
  readonly country: CountryCode;
}

export interface CompiledFilter {
  /** See `toSql`. */
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

const LOC = ["query", "match_filter_dict"] as const;

/** Parses a list's filter. Throws a ValidationError that lists all problems. */
export function parseFilter(text: string, context: FilterContext): Filter {
  const { type, listing, evalObjectId, country } = context;
  const { filter, issues } = parse(text, {
    fields: filterFields(type, listing),
    evalObjectId,
    phoneKey: (number) => phoneKey(number, country),
    regexFault,
  });
  if (issues.length === 0) return filter;
  throw new ValidationError(issues.map((issue) => ({ loc: LOC, input: text, ...issue })));
}

/** Compiles a filter. Throws a ValidationError that lists all problems. */
export function compileFilter(text: string, context: FilterContext): CompiledFilter {
  const filter = parseFilter(text, context);
  const { ranges, isExact } = rangesOf(filter);
  const fields = filterFields(context.type, context.listing);
  return {
    condition: toSql(filter),
    lookups: ranges.flatMap((range) => lookupFor(range, fields) ?? []),
    isOneRange: isExact && isOneRange(ranges, context),
    isPlain: isExact && isPlain(ranges, context),
  };
}

/** In the index of every sortable column, the next column is `_id`. */
function isOneRange(ranges: readonly Range[], { type, listing }: FilterContext): boolean {
  const [range, ...others] = ranges;
  if (range === undefined) return true;
  const isEquality = range.op === "in" && range.values.length === 1 && areStrings(range);
  return isEquality && others.length === 0 && sortColumns(type, listing).has(range.field);
}

/** Whether there is at most one condition per column, and each requires the column to equal or contain given values. */
const isPlain = (ranges: readonly Range[], { listing }: FilterContext): boolean =>
  new Set(ranges.map(({ field }) => field)).size === ranges.length &&
  ranges.every(
    (range) => range.op === "in" && areStrings(range) && listing.filter.includes(range.field),
  );

const areStrings = ({ values }: Range): boolean =>
  values.every((value) => typeof value === "string");

function lookupFor(range: Range, fields: FilterFields): KeyLookup | undefined {
  const [name = ""] = range.field.split(".");
  const field = fields.get(name);
  return field?.kind === "entries" ? lookupIn(field, range) : undefined;
}
