/** How each kind of column stores values, and how lists read and compare them. */

import sql, { type Sql } from "sql-template-tag";
import type { Json } from "../../platform/json/index.ts";
import { isId } from "../../platform/ids/index.ts";
import type { ColumnKind } from "../kinds/index.ts";
import { storedEntries } from "../contact-details/index.ts";

export interface Storage {
  /** Returns a body's value as a string parameter. */
  textOf(value: Json): string | null;
  /** Converts a string parameter to the column's type. */
  cast(given: Sql): Sql;
  /** Whether a column has a single value, so that lists can be sorted by it. */
  readonly isSingle: boolean;
  /** Whether a string in a cursor can be a value of the column. */
  isPosition(text: string): boolean;
  /** Whether PostgreSQL formats the column as the same JSON as in bodies. */
  readonly isExactJson: boolean;
}

const TEXT: Storage = {
  textOf: (value) => (value === null ? null : String(value)),
  cast: (given) => given,
  isSingle: true,
  isPosition: () => true,
  isExactJson: true,
};

const NUMERIC = /^-?\d{1,400}(?:\.\d{1,400})?$/;

/** Addresses and numbers are compared without surrounding spaces. */
const trimmed = (value: Json = null): Json => (typeof value === "string" ? value.trim() : value);

const arrayText = (values: readonly Json[]): string =>
  `{${values.map((value) => (value === null ? "NULL" : quoted(String(value)))).join()}}`;
const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

const TEXTS: Storage = {
  ...TEXT,
  textOf: (value) => arrayText(value as readonly Json[]),
  cast: (given) => sql`${given}::text[]`,
  isSingle: false,
};

export const STORAGES: Readonly<Record<ColumnKind, Storage>> = {
  text: TEXT,
  id: { ...TEXT, isPosition: isId },
  // PostgreSQL formats some numbers differently.
  number: {
    ...TEXT,
    cast: (given) => sql`${given}::numeric`,
    isPosition: (text) => NUMERIC.test(text),
    isExactJson: false,
  },
  flag: {
    ...TEXT,
    cast: (given) => sql`${given}::boolean`,
    isPosition: (text) => text === "t" || text === "f",
  },
  texts: TEXTS,
  emails: {
    ...TEXTS,
    textOf: (value) => arrayText(storedEntries(value).map(({ email }) => trimmed(email))),
    // Addresses use PostgreSQL's `lower`.
    cast: (given) => sql`array(select lower(e) from unnest(${given}::text[]) e)`,
    isExactJson: false,
  },
  phones: {
    ...TEXTS,
    textOf: (value) => arrayText(storedEntries(value).map(({ phone }) => trimmed(phone))),
    isExactJson: false,
  },
};
