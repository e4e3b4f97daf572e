/** Statements, written with the tag `sql` of sql-template-tag, whose values become parameters. */

import type postgres from "postgres";
import sql, { join, raw, type RawValue, type Sql } from "sql-template-tag";
import type { Db } from "./tx.ts";

type Connection = Db | postgres.TransactionSql;

type Values = readonly postgres.ParameterOrJSON<never>[];

/** Sends a template, such as `` run(db)`select 1` ``. A part of a statement is written with `sql`, not with `run`. */
type Run<T extends readonly (object | undefined)[]> = <V extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...values: { readonly [K in keyof V]: V[K] extends PromiseLike<unknown> ? never : V[K] }
) => postgres.PendingQuery<[...T]>;

/**
 * Runs a template or a composed statement. Prepare only what recurs: it stays in the session. A text without
 * values is prepared only with `prepare: true`, because it can contain several statements.
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

/** The names of columns as a list; `w.id` is a column of the table with the alias `w`. */
export const columns = (names: readonly string[]): Sql => join(names.map(nameSql));

/** What is inserted: `(<names>) values (<values>)`. */
export const inserted = (row: object): Sql =>
  sql`(${columns(Object.keys(row))}) values (${join(Object.values(row))})`;

/** What an update sets: `<name> = <value>, …`. */
export const assigned = (row: object): Sql =>
  join(Object.entries(row).map(([name, value]) => sql`${nameSql(name)} = ${value}`));

const nameSql = (name: string): Sql =>
  raw(`"${name.replaceAll('"', '""').replaceAll(".", '"."')}"`);

export type Compose<G> = (given: G) => Pick<Sql, "text" | "values">;

/** A statement whose text never changes; values that are functions are called with what is given. */
export const composed =
  ({ text, values }: Sql): Compose<object> =>
  (given) => ({
    text,
    values: values.map((value) =>
      typeof value === "function" ? (value as (given: object) => unknown)(given) : value,
    ),
  });

/** Texts that can be written between quotes: no character of them ends the quotes. */
const PLAIN = /^[\w .:+-]*$/;

/**
 * The same statement with its values in its text, except those in `variables`. Only numbers, booleans, texts that may be
 * logged (PostgreSQL logs the texts of statements) and lists of these are included; undefined if there is another value.
 * Prepared, it is planned for these values. PostgreSQL reuses the plan of a statement without parameters, and in
 * `sql` also that of one with parameters.
 */
export function withConstants(
  { strings, values }: Sql,
  mayBeLogged: (text: string) => boolean,
  variables: readonly unknown[] = [],
): Pick<Sql, "text" | "values"> | undefined {
  const isPlain = (value: unknown): value is string | number =>
    typeof value === "number" ||
    (typeof value === "string" && PLAIN.test(value) && mayBeLogged(value));
  // PostgreSQL infers the type of a quoted constant, like that of a parameter.
  const constantOf = (value: unknown): string | undefined => {
    if (typeof value === "boolean") return String(value);
    if (!Array.isArray(value)) return isPlain(value) ? `'${value}'` : undefined;
    return value.every(isPlain) ? `'{${value.map((one) => `"${one}"`).join()}}'` : undefined;
  };
  const [first = "", ...others] = strings;
  const parameters: unknown[] = [];
  let text = first;
  for (const [at, value] of values.entries()) {
    const isVariable = variables.includes(value);
    const term = isVariable ? `$${parameters.push(value)}` : constantOf(value);
    if (term === undefined) return undefined;
    text += term + (others[at] ?? "");
  }
  return { text, values: parameters };
}
