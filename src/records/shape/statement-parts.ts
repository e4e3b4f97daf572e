/**
 * The parts of SQL statements that depend on the record type: its table, its columns, and each column's value in a
 * body. One statement stores the body and the columns from the same object, so that they cannot differ.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { once } from "../../platform/clock/index.ts";
import { type RecordType, recordTypes } from "../types/index.ts";
import { type Column, storedColumns } from "./columns.ts";
import { storedEntries } from "./entries.ts";

/** How to convert a string parameter to the column's type. Addresses use PostgreSQL's `lower`. */
const CAST: Readonly<Record<Column["kind"], (given: Sql) => Sql>> = {
  text: (given) => given,
  id: (given) => given,
  number: (given) => sql`${given}::numeric`,
  flag: (given) => sql`${given}::boolean`,
  texts: (given) => sql`${given}::text[]`,
  emails: (given) => sql`array(select lower(e) from unnest(${given}::text[]) e)`,
  phones: (given) => sql`${given}::text[]`,
};

/** Returns the value of a column in a body, as a string for PostgreSQL. */
function textIn({ name, kind }: Column, body: JsonObject): string | null {
  const value = body[name] ?? null;
  switch (kind) {
    case "texts":
      return arrayText(value as readonly Json[]);
    case "emails":
      return arrayText(storedEntries(value).map(({ email }) => trimmed(email)));
    case "phones":
      return arrayText(storedEntries(value).map(({ phone }) => trimmed(phone)));
    default:
      return value === null ? null : String(value);
  }
}

/** Addresses and numbers are compared without surrounding spaces. */
const trimmed = (value: Json = null): Json => (typeof value === "string" ? value.trim() : value);

const arrayText = (values: readonly Json[]): string =>
  `{${values.map((value) => (value === null ? "NULL" : quoted(String(value)))).join()}}`;
const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** The parts of SQL statements that depend on the record type. */
interface Parts {
  readonly table: Sql;
  readonly columns: readonly Column[];
  readonly names: Sql;
  /** Returns the values of the columns in a body as string parameters, in the order of `names`. */
  readonly textsOf: (body: JsonObject) => readonly (string | null)[];
  /** Returns SQL for the values of the columns. `textAt` returns the string parameters. */
  readonly values: (textAt: (at: number) => unknown) => Sql;
  readonly assignments: (textAt: (at: number) => unknown) => Sql;
  /** SQL for the column values of many records, from columns of the table expression `g`. */
  readonly fromColumns: Sql;
}

export const parts = once((type: RecordType): Parts => {
  const columns = storedColumns(type);
  const cast = (textAt: (at: number) => unknown) =>
    columns.map(({ name, kind }, at) => ({ name, value: CAST[kind](sql`${textAt(at)}::text`) }));
  return {
    table: raw(type.table),
    columns,
    names: raw(columns.map(({ name }) => name).join(", ")),
    textsOf: (body) => columns.map((column) => textIn(column, body)),
    values: (textAt) => join(cast(textAt).map(({ value }) => value)),
    assignments: (textAt) =>
      join(cast(textAt).map(({ name, value }) => sql`${raw(name)} = ${value}`)),
    fromColumns: join(columns.map(({ name, kind }) => CAST[kind](raw(`g.${name}`)))),
  };
});

/** The tables that contain records. */
export const RECORD_TABLES: ReadonlySet<string> = new Set(recordTypes.map(({ table }) => table));
