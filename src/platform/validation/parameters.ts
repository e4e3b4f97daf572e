/**
 * Parses query and path parameters into typed values or issues, and generates the JSON Schema that
 * documents them. Empty values count as missing. Unknown names are rejected.
 */

import type { Issue } from "../errors/index.ts";
import { enumFault, extraForbidden, type Schema, tooLong as tooMany } from "./validation.ts";

export type Parameter = { readonly description: string } & (
  | {
      readonly kind: "integer";
      readonly min: number;
      readonly max?: number;
      readonly fallback?: number | undefined;
    }
  | { readonly kind: "boolean"; readonly fallback?: boolean }
  | { readonly kind: "text"; readonly max?: number; readonly fallback?: string }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  /** Comma-separated member names. */
  | { readonly kind: "members"; readonly of: readonly string[]; readonly max: number }
  /** A timestamp. Its value is whole epoch seconds; fractions are truncated. */
  | { readonly kind: "instant" }
);

export type Parameters = Readonly<Record<string, Parameter>>;

/** The typed values of parameters. Missing parameters are undefined. */
export type Given<P extends Parameters> = {
  readonly [K in keyof P]: ParameterValue<P[K]> | undefined;
};
type ParameterValue<P extends Parameter> = P extends { readonly kind: "choice" }
  ? P["of"][number]
  : P["kind"] extends "integer" | "instant"
    ? number
    : P["kind"] extends "boolean"
      ? boolean
      : P extends { readonly kind: "members" }
        ? readonly P["of"][number][]
        : string;

type Read =
  | { readonly value: unknown }
  | (Pick<Issue, "type" | "msg" | "ctx"> & Partial<Pick<Issue, "input">>);

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?Z)?$/;
const TRUE = new Set(["true", "1", "on", "t", "y", "yes"]);
const FALSE = new Set(["false", "0", "off", "f", "n", "no"]);

const READERS: {
  readonly [K in Parameter["kind"]]: (
    text: string,
    parameter: Extract<Parameter, { kind: K }>,
  ) => Read;
} = {
  integer: (text, { min, max = Number.MAX_SAFE_INTEGER }) => {
    if (!/^[+-]?\d{1,16}$/.test(text.trim())) {
      const msg = "Input should be a valid integer, unable to parse string as an integer";
      return { type: "int_parsing", msg };
    }
    const value = Number(text);
    if (value < min) {
      const msg = `Input should be greater than or equal to ${min}`;
      return { type: "greater_than_equal", msg, ctx: { ge: min } };
    }
    if (value > max) {
      const msg = `Input should be less than or equal to ${max}`;
      return { type: "less_than_equal", msg, ctx: { le: max } };
    }
    return { value };
  },
  boolean: (text) => {
    const word = text.toLowerCase();
    if (TRUE.has(word)) return { value: true };
    if (FALSE.has(word)) return { value: false };
    const msg = "Input should be a valid boolean, unable to interpret input";
    return { type: "bool_parsing", msg };
  },
  text: (text, { max }) =>
    max === undefined || [...text].length <= max ? { value: text } : tooLong(max),
  choice: (text, { of }) => (of.includes(text) ? { value: text } : enumFault(of)),
  members: (text, { of, max }) => {
    const given = [...new Set(text.split(",").map((name) => name.trim()))];
    if (given.length > max) return tooMany(max, given.length);
    const unknown = given.find((name) => !of.includes(name));
    if (unknown !== undefined) return { ...enumFault(of), input: unknown };
    return { value: of.filter((name) => ALWAYS.includes(name) || given.includes(name)) };
  },
  instant: (text) => {
    const value = readInstant(text);
    if (value !== undefined) return { value };
    const msg = "Input should be a valid datetime in UTC, as YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD";
    return { type: "datetime_parsing", msg, ctx: { error: "not in one of the two formats" } };
  },
};

/** Maximum number of members that a request can select. */
const FIELDS_MAX = 50;
/** Members that are always returned. */
const ALWAYS: readonly string[] = ["_id", "id", "version"];

const tooLong = (max: number): Read => ({
  type: "string_too_long",
  msg: `String should have at most ${max} characters`,
  ctx: { max_length: max },
});

/** Parses `2024-04-16T17:48:14Z` or `2024-04-16` into whole epoch seconds. Returns undefined for other strings. */
export function readInstant(text: string): number | undefined {
  const [, day, time = "00:00:00"] = INSTANT.exec(text) ?? [];
  const moment = new Date(`${day}T${time}Z`);
  if (Number.isNaN(moment.getTime())) return undefined;
  return moment.toISOString().slice(0, 19) === `${day}T${time}`
    ? moment.getTime() / 1000
    : undefined;
}

/** Parses the strings of a request. Returns the values of valid parameters and the issues of invalid ones. */
export function readParameters<P extends Parameters>(
  place: "path" | "query",
  known: P,
  given: Readonly<Record<string, string>>,
): { readonly values: Given<P>; readonly issues: readonly Issue[] } {
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [name, parameter] of Object.entries(known)) {
    const text = given[name] ?? "";
    if (text === "" && place === "query") {
      values[name] = undefined;
      continue;
    }
    const read = readOne(parameter, text);
    if ("value" in read) values[name] = read.value;
    else issues.push({ loc: [place, name], input: text, ...read });
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(known, name)) issues.push(extraForbidden([place, name], given[name]));
  }
  return { values: values as Given<P>, issues };
}

function readOne(parameter: Parameter, text: string): Read {
  if (text === "") {
    const msg = "String should have at least 1 character";
    return { type: "string_too_short", msg, ctx: { min_length: 1 } };
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    const msg = "Input should be a valid string, unable to parse raw data as a unicode string";
    return { type: "string_unicode", msg };
  }
  return (READERS[parameter.kind] as (text: string, parameter: Parameter) => Read)(text, parameter);
}

const exampleOf = (names: readonly string[]): string =>
  names
    .filter((name) => !ALWAYS.includes(name))
    .slice(0, 2)
    .join(",");

/** Returns the parameter that selects the members of a response. */
export const fieldsParameter = <const K extends string>(of: readonly K[]) =>
  ({
    fields: {
      kind: "members",
      of,
      max: FIELDS_MAX,
      description:
        `The members to return, at most ${FIELDS_MAX}, separated by commas; all of them by default. ` +
        "`_id`, `id` and `version` are always returned if the entries have them.",
    },
  }) as const satisfies Parameters;

/** Returns the JSON Schema that documents a parameter. */
export function parameterSchema(parameter: Parameter): Schema {
  const { description } = parameter;
  switch (parameter.kind) {
    case "integer": {
      const { min, max, fallback } = parameter;
      return {
        type: "integer",
        minimum: min,
        ...(max !== undefined && { maximum: max }),
        ...(fallback !== undefined && { default: fallback }),
        description,
      };
    }
    case "boolean": {
      const { fallback } = parameter;
      return { type: "boolean", ...(fallback !== undefined && { default: fallback }), description };
    }
    case "text": {
      const { max, fallback } = parameter;
      return {
        type: "string",
        minLength: 1,
        ...(max !== undefined && { maxLength: max }),
        ...(fallback !== undefined && { default: fallback }),
        description,
      };
    }
    case "choice":
      return { type: "string", enum: parameter.of, description };
    case "members":
      return { type: "string", minLength: 1, description, examples: [exampleOf(parameter.of)] };
    case "instant":
      return {
        type: ["string", "null"],
        description,
        examples: ["2024-04-16T17:48:14Z", "2024-04-16"],
      };
  }
}
