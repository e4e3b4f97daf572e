/** Converts parameters to text for PostgreSQL, and columns to JavaScript values. */

import { parse as parseArray } from "postgres-array";

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const JSON_ = 114;
const FLOAT4 = 700;
const FLOAT8 = 701;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const JSONB = 3802;

/**
 * Returns a parameter as sent to PostgreSQL. Objects become JSON, and arrays become PostgreSQL arrays. To send an array
 * or a string as JSON, convert it to text with `JSON.stringify`. Throws if the value is undefined.
 */
export function parameterOf(value: unknown): string | Buffer | null {
  if (typeof value === "string") return value;
  if (value === null) return null;
  if (value === undefined) throw new TypeError("Undefined values are not allowed in statements");
  if (typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`A ${typeof value} is not a value`);
  }
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return bytesOf(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayText(value);
  return JSON.stringify(value);
}

const bytesOf = (value: Uint8Array): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);

const arrayText = (values: readonly unknown[]): string => `{${values.map(elementText).join(",")}}`;

function elementText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Uint8Array) return `"\\\\x${bytesOf(value).toString("hex")}"`;
  const text = String(parameterOf(value));
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/**
 * Returns the type of a parameter, or 0 if PostgreSQL infers it. These types are declared so that such values can also be
 * used where PostgreSQL cannot infer a type.
 */
export function typeOf(value: unknown): number {
  if (typeof value === "boolean") return BOOL;
  if (typeof value === "bigint") return INT8;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Date) return TIMESTAMPTZ;
  return value instanceof Uint8Array ? BYTEA : 0;
}

export type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;
const asDate: Parse = (text) => new Date(text);
const asJson: Parse = (text) => JSON.parse(text) as unknown;
const asBoolean: Parse = (text) => text === "t";
const asBytes: Parse = (text) => Buffer.from(text.slice(2), "hex");

/** 64-bit integers are parsed as numbers, because ours are epoch seconds and counters, which are safe integers. */
const PARSERS: ReadonlyMap<number, Parse> = new Map([
  ...[INT2, INT4, INT8, OID, FLOAT4, FLOAT8].map((type) => [type, Number] as const),
  ...[DATE, TIMESTAMP, TIMESTAMPTZ].map((type) => [type, asDate] as const),
  ...[JSON_, JSONB].map((type) => [type, asJson] as const),
  [BOOL, asBoolean],
  [BYTEA, asBytes],
]);

/** The types of the elements of array types. Arrays of text and similar types have none. */
const ELEMENTS: Readonly<Record<number, number | undefined>> = {
  199: JSON_,
  1000: BOOL,
  1001: BYTEA,
  1005: INT2,
  1007: INT4,
  1016: INT8,
  1021: FLOAT4,
  1022: FLOAT8,
  1028: OID,
  1115: TIMESTAMP,
  1182: DATE,
  1185: TIMESTAMPTZ,
  3807: JSONB,
};
/** Arrays of "char", name, text, bpchar, varchar, inet, numeric and uuid. */
const TEXT_ARRAYS = new Set([1002, 1003, 1009, 1014, 1015, 1041, 1231, 2951]);

/** Returns the function that parses columns of a type. Columns of other types are strings. */
export function parserOf(type: number): Parse {
  const parser = PARSERS.get(type);
  if (parser !== undefined) return parser;
  const element = ELEMENTS[type];
  if (element === undefined && !TEXT_ARRAYS.has(type)) return asText;
  const parse = (element !== undefined && PARSERS.get(element)) || asText;
  return (text) => parseArray(text, parse);
}
