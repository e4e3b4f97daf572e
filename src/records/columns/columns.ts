/**
 * A record type's SQL columns. In addition to the stored body, they contain the values that filters, sorts and windows
 * need. They are computed from the same object as the body and stored by the same statement (docs/decisions/0001), so
 * they cannot differ from the body.
 */

import { once } from "../../platform/cache/index.ts";
import { derivedKindOf } from "../derived/index.ts";
import { type ColumnKind, kindOf, type SummaryUse } from "../kinds/index.ts";
import { STORAGES } from "./storages.ts";
import {
  type Listing,
  type RecordName,
  type RecordType,
  type Timestamp,
  TYPE_FACTS,
} from "../types/index.ts";

export type { ColumnKind };

export interface Column {
  /** The column name. It comes from our source code, never from a request. */
  readonly name: string;
  readonly kind: ColumnKind;
  /** Alternative spellings of the values of an enumeration. */
  readonly spellings?: Readonly<Record<string, string>>;
}

/** A record's timestamp columns. Each is a bigint in whole epoch seconds. */
export const STAMP_COLUMNS = ["created_ts", "updated_ts", "status_update_date"] as const;

/** Returns the column of a timestamp. `timestamp` equals created_ts, so it needs no separate column. */
export const stampColumn = (on: Timestamp): (typeof STAMP_COLUMNS)[number] =>
  on === "timestamp" ? "created_ts" : on;

/** Returns the column of a filterable field, or undefined if there is none. */
export function columnOf(type: RecordType, name: string): Column | undefined {
  if (name === "_id") return { name: "id", kind: "id" };
  const { fields, derived } = type;
  const computed = derived[name];
  const field = fields[computed?.kind === "copy" ? computed.of : name];
  const kind = computed
    ? derivedKindOf(computed).column?.(computed)
    : field && kindOf(field).column;
  if (kind === undefined) return undefined;
  return field?.kind === "choice" && field.spellings !== undefined
    ? { name, kind, spellings: field.spellings }
    : { name, kind };
}

/** Returns how summaries use a field or derived member. */
function summaryUse({ fields, derived }: RecordType, name: string): SummaryUse | undefined {
  const computed = derived[name];
  const field = fields[name];
  return computed ? derivedKindOf(computed).summary : field && kindOf(field).summary;
}

/** Returns the columns that the type's lists can be filtered by, without duplicates. */
export function filterColumns(type: RecordType): readonly Column[] {
  const names = new Set(Object.values(type.lists).flatMap(({ filter }) => filter));
  return [...names].map((name) => mustColumn(type, name));
}

/** Returns the fields whose values must be unique within a tenant. */
export const uniqueFields = once(({ fields }: RecordType): readonly string[] =>
  Object.keys(fields).filter((name) => UNIQUE_FIELDS.has(name)),
);

const UNIQUE_FIELDS: ReadonlySet<string> = new Set(["external_id", "invoice_num"]);

/** Returns all columns whose value is in the body, except the stamps. */
export function storedColumns(type: RecordType): readonly Column[] {
  const unique = uniqueFields(type).map((name) => mustColumn(type, name));
  const filtered = filterColumns(type);
  const referring = referenceFields(type)
    .filter(({ to, field }) => canMerge(to) && !filtered.some(({ name }) => name === field))
    .map(({ field }) => mustColumn(type, field));
  return [...unique, ...filtered, ...referring];
}

/** Whether records of a type can be merged. If so, it must be possible to find references to them. */
const canMerge = (name: RecordName): boolean => TYPE_FACTS[name].sameBy !== undefined;

/** Returns a type's fields that contain the ids of other records, with the types of those records. */
export const referenceFields = ({
  fields,
  derived,
}: RecordType): readonly { readonly field: string; readonly to: RecordName }[] =>
  [...Object.entries(fields), ...Object.entries(derived)].flatMap(([field, described]) =>
    "to" in described && described.to !== undefined ? [{ field, to: described.to }] : [],
  );

/** Returns the column of a field that the type's definition mentions. The column must exist. */
export function mustColumn(type: RecordType, name: string): Column {
  const column = columnOf(type, name);
  if (column === undefined) throw new Error(`${type.name}.${name} has no column`);
  return column;
}

/**
 * Returns the columns that a list can be sorted by: filterable fields with a single value, `_id`, and the timestamps.
 */
export function sortColumns(type: RecordType, listing: Listing): ReadonlyMap<string, Column> {
  const sortable = new Map<string, Column>([["_id", { name: "id", kind: "id" }]]);
  for (const name of listing.filter) {
    const column = mustColumn(type, name);
    if (STORAGES[column.kind].isSingle) sortable.set(name, column);
  }
  for (const stamp of stampsOf(type)) {
    sortable.set(stamp, { name: stampColumn(stamp), kind: "number" });
  }
  return sortable;
}

const stampsOf = ({ timestamp }: RecordType): readonly Timestamp[] =>
  timestamp ? [...STAMP_COLUMNS, "timestamp"] : STAMP_COLUMNS;

const byName = (columns: readonly Column[]): ReadonlyMap<string, Column> =>
  new Map(columns.map((column) => [column.name, column]));

/**
 * Returns the columns that summaries can group by: fields with a single value that several records can have in common.
 */
export const groupColumns = (type: RecordType): ReadonlyMap<string, Column> =>
  byName(
    storedColumns(type).filter(
      ({ name }) => !UNIQUE_FIELDS.has(name) && summaryUse(type, name) === "group",
    ),
  );

/**
 * Returns the times that summaries can group into periods, including times with fractions of a second. The timestamps
 * come first.
 */
export const momentColumns = (type: RecordType): ReadonlyMap<string, Column> =>
  new Map([
    ...stampsOf(type).map((stamp): [string, Column] => [
      stamp,
      { name: stampColumn(stamp), kind: "number" },
    ]),
    ...byName(storedColumns(type).filter(({ name }) => summaryUse(type, name) === "period")),
  ]);

/** Returns the amounts that summaries can sum. */
export const sumColumns = (type: RecordType): ReadonlyMap<string, Column> =>
  byName(storedColumns(type).filter(({ name }) => summaryUse(type, name) === "sum"));
