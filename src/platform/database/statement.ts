/** SQL statements, written with the `sql` tag of sql-template-tag. Their values become parameters. */

import sql, { join, raw, type RawValue, type Sql } from "sql-template-tag";
import {
  CopyInQuery,
  CopyOutQuery,
  type RawRow,
  type Rows as ResultRows,
  type Statement,
  type StatementOptions,
  StatementQuery,
} from "../pool/index.ts";
import { noted } from "../tracing/index.ts";
import type { Readable, Writable } from "node:stream";
import type { Connection } from "./tx.ts";

/** The columns of a row by name. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Row = Readonly<Record<string, any>>;

/** The rows of a result. `count` is the number of rows that the statement returned or changed. */
export type Rows<T extends readonly unknown[] = Row[]> = T & Pick<ResultRows, "count">;

/** Runs a template, such as `` run(db)`select 1` ``. Write fragments of statements with `sql`, not with `run`. */
type Run<T extends readonly unknown[]> = <V extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...values: { readonly [K in keyof V]: V[K] extends PromiseLike<unknown> ? never : V[K] }
) => Promise<Rows<T>>;

type RunOptions = Pick<StatementOptions, "prepare" | "first">;

/**
 * Runs a template or a composed statement. It is sent immediately, after the statements that were sent before it on the
 * same connection or in the same transaction. Prepare only recurring statements, because prepared statements remain in
 * the session. A statement without values is prepared only if `prepare` is true, because its text can contain several
 * statements.
 */
export function run<T extends readonly (object | undefined)[] = Row[]>(db: Connection): Run<T>;
export function run<T extends readonly (object | undefined)[] = Row[]>(
  db: Connection,
  statement: Pick<Sql, "text" | "values">,
  options?: RunOptions,
): Promise<Rows<T>>;
export function run(
  db: Connection,
  statement?: Pick<Sql, "text" | "values">,
  options?: RunOptions,
): unknown {
  if (statement !== undefined) return send(db, statement, options);
  return template(db, {});
}

/** Like `run`, but returns rows whose columns are not parsed. */
export function runRaw(db: Connection): Run<RawRow[]>;
export function runRaw(
  db: Connection,
  statement: Pick<Sql, "text" | "values">,
  options?: RunOptions & {
    /** Receives the rows, which the result then omits. */
    readonly onRow?: (row: RawRow) => void;
  },
): Promise<Rows<RawRow[]>>;
export function runRaw(
  db: Connection,
  statement?: Pick<Sql, "text" | "values">,
  options?: StatementOptions,
): unknown {
  const raw = { ...options, isRaw: true };
  return statement === undefined ? template(db, raw) : send(db, statement, raw);
}

const template =
  (db: Connection, options: StatementOptions) =>
  (strings: TemplateStringsArray, ...values: RawValue[]) => {
    const { text, values: parameters } = sql(strings, ...values);
    return send(db, { text, values: parameters }, options);
  };

function send(
  db: Connection,
  { text, values }: Statement,
  options?: StatementOptions,
): Promise<ResultRows> {
  const query = new StatementQuery({ text, values }, options);
  db.submit(query);
  return noted(query.result);
}

/** Runs a `copy … to stdout`. The stream yields its bytes. */
export function openCopyOut(db: Connection, text: string): Readable {
  const query = new CopyOutQuery(text);
  db.submit(query);
  return query.stream;
}

/** Runs a `copy … from stdin`. The stream takes its bytes, and finishes when the database has stored all rows. */
export function openCopyIn(db: Connection, text: string): Promise<Writable> {
  const query = new CopyInQuery(text);
  db.submit(query);
  return query.opened();
}

/** Returns a comma-separated list of column names. `w.id` is a column of the table with the alias `w`. */
export const columns = (names: readonly string[]): Sql => join(names.map(nameSql));

/** Returns the part of an insert statement that follows the table name: `(<names>) values (<values>)`. */
export const inserted = (row: object): Sql =>
  sql`(${columns(Object.keys(row))}) values (${join(Object.values(row))})`;

/** Returns the assignments of an update statement: `<name> = <value>, …`. */
export const assigned = (row: object): Sql =>
  join(Object.entries(row).map(([name, value]) => sql`${nameSql(name)} = ${value}`));

const nameSql = (name: string): Sql =>
  raw(`"${name.replaceAll('"', '""').replaceAll(".", '"."')}"`);

export type Compose<G> = (given: G) => Pick<Sql, "text" | "values">;

/**
 * Returns a function that composes a statement for an object. The text is constant. Values that are functions are
 * called with the object.
 */
export const composed =
  ({ text, values }: Sql): Compose<object> =>
  (given) => ({
    text,
    values: values.map((value) =>
      typeof value === "function" ? (value as (given: object) => unknown)(given) : value,
    ),
  });

/** Matches strings that can be put between quotes in SQL without escaping. */
const PLAIN = /^[\w .:+-]*$/;

/**
 * A value in a statement for `withConstants` that becomes a parameter. A symbol equals no other value, so a value from
 * a request can never be mistaken for it.
 */
export const VARIABLE = Symbol("variable");

/**
 * Returns a statement's text with its values inlined, except for `VARIABLE`. The values may be numbers, booleans,
 * strings that may be logged (PostgreSQL logs statement texts), and lists of these. Returns undefined if there is any
 * other value. If the statement is prepared, PostgreSQL plans it for these values. PostgreSQL reuses the plan if the
 * statement has no parameters and, in the `sql` pool, even if it has some.
 */
export function withConstants(
  { strings, values }: Sql,
  mayBeLogged: (text: string) => boolean,
): string | undefined {
  const isPlain = (value: unknown): value is string | number =>
    typeof value === "number" ||
    (typeof value === "string" && PLAIN.test(value) && mayBeLogged(value));
  // PostgreSQL infers the type of a quoted constant just as it does for a parameter.
  const constantOf = (value: unknown): string | undefined => {
    if (typeof value === "boolean") return String(value);
    if (!Array.isArray(value)) return isPlain(value) ? `'${value}'` : undefined;
    return value.every(isPlain) ? `'{${value.map((one) => `"${one}"`).join()}}'` : undefined;
  };
  const [first = "", ...others] = strings;
  let variables = 0;
  let text = first;
  for (const [at, value] of values.entries()) {
    const term = value === VARIABLE ? `$${++variables}` : constantOf(value);
    if (term === undefined) return undefined;
    text += term + (others[at] ?? "");
  }
  return text;
}
