/**
 * The SQL that depends on the record type: its table, its columns, and each column's value in a
 * body. One statement stores the body and the columns from the same object, so that they cannot differ.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { JsonObject } from "../../platform/json/index.ts";
import { once } from "../../platform/cache/index.ts";
import type { RecordType } from "../types/index.ts";
import { type Column, storedColumns, STORAGES } from "../columns/index.ts";

/** SQL for the table of a record type. */
interface TableSql {
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

export const tableSql = once((type: RecordType): TableSql => {
  const columns = storedColumns(type);
  const cast = (textAt: (at: number) => unknown) =>
    columns.map(({ name, kind }, at) => ({
      name,
      value: STORAGES[kind].cast(sql`${textAt(at)}::text`),
    }));
  return {
    table: raw(type.table),
    columns,
    names: raw(columns.map(({ name }) => name).join(", ")),
    textsOf: (body) => columns.map(({ name, kind }) => STORAGES[kind].textOf(body[name] ?? null)),
    values: (textAt) => join(cast(textAt).map(({ value }) => value)),
    assignments: (textAt) =>
      join(cast(textAt).map(({ name, value }) => sql`${raw(name)} = ${value}`)),
    fromColumns: join(columns.map(({ name, kind }) => STORAGES[kind].cast(raw(`g.${name}`)))),
  };
});
