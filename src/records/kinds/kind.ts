/** The members that every kind of field defines. Each kind is a file in this folder and a line in index.ts. */

import type { Clock } from "../../platform/clock/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { Rule, Schema } from "../../platform/validation/index.ts";

/** The purpose of a request body. A put creates or updates a record. */
export type Purpose = "create" | "patch" | "put";

/**
 * The kind of a filterable field: a single value (string, number or boolean), a list of strings, a list of entries with
 * a main member (`email_list`, `phone_list`), or a record id.
 */
export type ColumnKind = "text" | "number" | "flag" | "texts" | "emails" | "phones" | "id";

/** What summaries can do with a field: group by its values or by periods, or sum them. */
export type SummaryUse = "group" | "period" | "sum";

/** The values that examples are composed of. */
export interface ExampleValues {
  readonly text: string;
  readonly amount: number;
  readonly time_s: number;
  idOf(to: string): string;
}

/** The formats that are detected for a column of a file: numbers, dates, and percentages for fractions. */
export type CellFormat = "numbers" | "dates" | "shares";

/** Reads the strings in a column of a file, using the column's formats. */
export interface CellReader {
  /** Whether the file is an export from Leadport, whose strings are exact. */
  readonly isExact: boolean;
  /** Whether strings cannot be JSON, because the file contains JSON values. */
  readonly isTyped: boolean;
  number(text: string): number | undefined;
  /** Returns a fraction, which the file may contain as a percentage. */
  share(text: string): number | undefined;
  /** Returns a time in epoch seconds. */
  moment(text: string): number | undefined;
  flag(text: string): boolean | undefined;
  /** Returns the value that stands for a string from another system. */
  word(text: string): string | undefined;
  /** Returns a string in lowercase, without spaces and punctuation, for comparison. */
  plain(text: string): string;
}

/** The result of reading a cell: a value, nothing, or "unreadable". */
export type Parsed =
  | { readonly value: unknown }
  | { readonly nothing: true }
  | { readonly unreadable: true };

export const NOTHING: Parsed = { nothing: true };
export const UNREADABLE: Parsed = { unreadable: true };
export const orUnreadable = (value: unknown): Parsed =>
  value === undefined ? UNREADABLE : { value };

/** The members without a default. */
interface Own<D> {
  /** The names that `GET /crm/fields` uses for this kind. A name states what a value means. */
  readonly names: readonly string[];
  /** The JSON Schema in requests, which allows null. Constraints that JSON Schema cannot express are rules. */
  request(field: D, purpose: Purpose): Schema;
  /** The accepted values, for docs/records.md. */
  docs(field: D): string;
  example(field: D, values: ExampleValues): Json;
  /** Reads a string in a file, without surrounding spaces unless the file is an export from Leadport. */
  parse(field: D, text: string, reader: CellReader): Parsed;
  /** The rules that schemas of this kind refer to, by name. */
  rules?(clock: Clock): Readonly<Record<string, Rule>>;
  /** The kind of the column that lists filter and sort by. Missing if they cannot. */
  readonly column?: ColumnKind;
  readonly summary?: SummaryUse;
  /** A merge unites lists of this kind, up to this number of elements. */
  readonly unitedMax?: number;
  /** Null means "not given" in requests, because the field always has a value. */
  readonly ignoresNull?: true;
  /** A cell such as "n/a" means "empty". */
  readonly readsNothing?: true;
  /** Values must not appear in notes and warnings. */
  readonly isSecret?: true;
  /** Cells contain amounts, which may be in another currency. */
  readonly hasCurrency?: true;
}

/** The members with a default. */
interface Defaults<D> {
  /** A single value, a list (then no value is stored as an empty list), or an object or string. */
  readonly holds: "value" | "list" | "object";
  /** Changes the schema of a create request to that of a response. */
  response(field: D, schema: Schema): Schema;
  /** Converts a value from a request to its stored form. */
  stored(field: D, value: Json): Json;
  /** Returns the one of `names` that applies to a field. Default: the first. */
  nameOf(field: D): string;
  /** Returns the limits and choices of a field, for `GET /crm/fields`. */
  details(field: D): JsonObject;
  /** The formats to detect in columns of a file. */
  formats(field: D): readonly CellFormat[];
  /** The kind of warning about a cell that cannot be read. */
  readonly unreadable: "unknown_word" | "unreadable_value";
}

export interface FieldKind<D> extends Own<D>, Defaults<D> {}

/** Defines a kind of field, with the defaults for the members that it does not define. */
export const fieldKind = <D>(kind: Own<D> & Partial<Defaults<D>>): FieldKind<D> => ({
  holds: "value",
  response: (_, schema) => (kind.holds === "list" ? { ...schema, type: "array" } : schema),
  stored: (_, value) => value,
  nameOf: () => kind.names[0] ?? "",
  details: () => ({}),
  formats: () => [],
  unreadable: "unreadable_value",
  ...kind,
});

export const count = (value: number): string => value.toLocaleString("en-US");
export const code = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(", ");

/** Parses a string as JSON. Returns undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses a JSON list, as in exports from Leadport. */
export function parseList(text: string): Parsed {
  const list = jsonOf(text);
  return Array.isArray(list) ? { value: list } : UNREADABLE;
}
