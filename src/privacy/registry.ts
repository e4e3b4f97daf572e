/**
 * Reads which columns contain personal data. Each module declares the columns of its tables. Tests fail if a column is
 * not declared, or if an erasure leaves a person's data in a column.
 */

import type { Personal, PersonalColumns } from "../platform/modules/index.ts";

/** Returns the kind of data in each column of a table, by column name. */
export const columnsOf = (
  declared: PersonalColumns,
  table: string,
): ReadonlyMap<string, Personal> =>
  new Map(
    Object.entries(declared[table] ?? {}).flatMap(([kind, names]) =>
      names.split(" ").map((name) => [name, kind as Personal] as const),
    ),
  );

/** Returns the tables that contain columns of one of these kinds, sorted by name. */
export const tablesWith = (
  declared: PersonalColumns,
  kinds: readonly Personal[],
): readonly string[] =>
  Object.keys(declared)
    .filter((table) => kinds.some((kind) => declared[table]?.[kind] !== undefined))
    .toSorted();
