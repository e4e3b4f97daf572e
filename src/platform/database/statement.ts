/** SQL statements, written with the `sql` tag of sql-template-tag. Their values become parameters. */

import type postgres from "postgres";
import sql, { join, raw, type RawValue, type Sql } from "sql-template-tag";
import type { Db } from "./tx.ts";

type Connection = Db | postgres.TransactionSql;

type Values = readonly postgres.ParameterOrJSON<never>[];

/** Runs a template, such as `` run(db)`select 1` ``. Write fragments of statements with `sql`, not with `run`. */
type Run<T extends readonly (object | undefined)[]> = <V extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...values: { readonly [K in keyof V]: V[K] extends PromiseLike<unknown> ? never : V[K] }
) => postgres.PendingQuery<[...T]>;

/**
 * Runs a template or a composed statement. Prepare only recurring statements, because prepared
 * statements remain in the session. A statement without values is prepared only if `prepare` is
 * true, because its text can contain several statements.
 */
export function run<T extends readonly (object | undefined)[] = postgres.Row[]>(
  db: Connection,
): Run<T>;
export function run<T extends readonly (object | undefined)[] = postgres.Row[]>(
  db: Connection,
  statement: Pick<Sql, "text" | "values">,
  options?: { readonly prepare?: boolean },
): postgres.PendingQuery<[...T]>;
export function run(
  db: Connection,
  statement?: Pick<Sql, "text" | "values">,
  { prepare }: { readonly prepare?: boolean } = {},
): unknown {
  const options = prepare === undefined ? { prepare: true } : { prepare, simple: false };
  const send = ({ text, values }: Pick<Sql, "text" | "values">) =>
    db.unsafe(text, values as unknown as Values as postgres.ParameterOrJSON<never>[], options);
  if (statement !== undefined) return send(statement);
  return (strings: TemplateStringsArray, ...values: RawValue[]) => send(sql(strings, ...values));
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
