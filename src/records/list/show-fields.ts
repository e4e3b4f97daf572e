/** Determines the part of each record that a list returns: the whole body, or the members in `fields`. */

import { raw, type Sql } from "sql-template-tag";
import { once } from "../../platform/cache/index.ts";
import { STAMP_COLUMNS, storedColumns, STORAGES } from "../columns/index.ts";
import type { RecordType } from "../types/index.ts";
import { membersPicker } from "./pick-members.ts";

export interface Shown {
  /** The JSON text that the database returns for each record. */
  readonly show: Sql;
  /** Extracts the members to return from that JSON text. Undefined if all of it is returned. */
  readonly pick?: ((body: Buffer) => Buffer) | undefined;
}

/**
 * Determines the part of each record to return: its body, or these members in the body's order. If all members have
 * columns, they are read from the columns, which is faster than reading bodies. Otherwise, they are extracted from the
 * bodies.
 */
export function shownOf(type: RecordType, fields: readonly string[] | undefined): Shown {
  if (fields === undefined) return { show: raw("body") };
  const columns = jsonColumns(type);
  const members = fields.flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [`"${name}":' || ${column}`];
  });
  if (members.length < fields.length) return { show: raw("body"), pick: membersPicker(fields) };
  return { show: raw(`'{${members.join(" || ',")} || '}'`) };
}

/** Returns the members whose value can be read from a column, with the SQL that formats it as JSON. */
const jsonColumns = once((type: RecordType): ReadonlyMap<string, string> => {
  const exact = storedColumns(type).flatMap((column): [string, string][] => {
    if (!STORAGES[column.kind].isExactJson) return [];
    const json = orNull(column.name);
    const derived = type.derived[column.name];
    const names = derived?.kind === "copy" ? [column.name, derived.of] : [column.name];
    return names.map((name) => [name, json]);
  });
  const always = ["version", ...STAMP_COLUMNS].map((name): [string, string] => [name, name]);
  const ids = ["_id", "id"].map((name): [string, string] => [name, `to_json(id)`]);
  return new Map([...exact, ...always, ...ids]);
});

const orNull = (column: string): string => `coalesce(to_json(${column})::text, 'null')`;
