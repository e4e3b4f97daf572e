/**
 * JSON Schema → the issues of a 422. Bodies are checked by Ajv as they are: nothing is coerced, filled
 * in or removed, all errors are found, and each has a type and message of docs/errors.md.
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Issue } from "../errors/index.ts";
import { isObject, type Json, unstorableIssues } from "../json/index.ts";

export type Schema = { readonly [keyword: string]: unknown };

/** What a rule finds wrong: an issue without its place, or with a member or a way to point at. */
export type Fault = Pick<Issue, "type" | "msg" | "ctx"> & {
  readonly at?: string;
  readonly within?: Issue["loc"];
};

/** A fault in a sentence of our own, at a member where it is one's. */
export const valueError = (sentence: string, at?: string): Fault => ({
  type: "value_error",
  msg: `Value error, ${sentence}`,
  ctx: { error: {} },
  ...(at !== undefined && { at }),
});

/**
 * What JSON Schema has no word for. A schema names it as `"x-rule": [name, argument]`. If the schema has a
 * type, the rule only gets values of that type.
 */
export type Rule = (value: Json, argument: never) => readonly Fault[];

/**
 * Finds what is wrong with a body; an empty list if nothing is. Within one list or object it stops after
 * COLLECTED_MAX issues.
 */
export type Check = (body: unknown) => readonly Issue[];

/** A response shows the first hundred places; one place may have several issues. */
export const COLLECTED_MAX = 1000;

const LOOPS = /for\((?:let (i\d+)=0; \1<len\d+|const key\d+ in data\d*\)\{)/g;

/**
 * Ajv with `allErrors` collects an error for each element of a list. This ends each loop over elements or
 * members in the code it generates, once the loop has found enough.
 */
function stopAtMany(code: string): string {
  let loops = 0;
  return code.replaceAll(LOOPS, (head: string, index?: string) => {
    const stop = `stop${(loops += 1)}`;
    const rest = index === undefined ? `if(errors >= ${stop})break;` : ` && errors < ${stop}`;
    return `const ${stop} = errors + ${COLLECTED_MAX};${head}${rest}`;
  });
}

/** Compiles schemas that may name the given rules, each when a body is checked for the first time. */
export function checker(rules: Readonly<Record<string, Rule>>): (schema: Schema) => Check {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    code: { process: stopAtMany },
    // 1e400 is JSON and becomes Infinity, which is not.
    strictNumbers: true,
    unicodeRegExp: true,
  });
  ajv.addKeyword({
    keyword: "x-rule",
    errors: true,
    compile: ([name, argument]: readonly [string, never], { type }) => {
      const rule = rules[name];
      if (rule === undefined) throw new Error(`There is no rule ${name}`);
      const types = new Set([type as string | readonly string[] | undefined].flat());
      return function check(value: Json): boolean {
        // A value of the wrong type is reported already; rules may rely on the right type.
        if (type !== undefined && !typesOf(value).some((one) => types.has(one))) return true;
        const faults = rule(value, argument).slice(0, COLLECTED_MAX);
        Object.assign(check, {
          errors: faults.map((fault) => ({ keyword: "x-rule", params: { fault } })),
        });
        return faults.length === 0;
      };
    },
  });
  return (schema) => {
    let compiled: ValidateFunction | undefined;
    const names = Object.keys(isObject(schema["properties"]) ? schema["properties"] : {});
    const order = new Map(names.map((name, at) => [name, at]));
    return (body) => {
      const validate = (compiled ??= ajv.compile(schema));
      const unstorable = unstorableIssues(body, COLLECTED_MAX);
      if (validate(body) && unstorable.length === 0) return [];
      const issues = (validate.errors ?? []).map((error) => toIssue(error, body));
      return inOrder(onePerPlace([...unstorable, ...issues]), order);
    };
  };
}

/** The names that JSON Schema has for the type of a value. */
function typesOf(value: Json): readonly string[] {
  if (value === null) return ["null"];
  if (typeof value === "number") return ["number", "integer"];
  return [Array.isArray(value) ? "array" : typeof value];
}

const TYPE_FAULTS: Readonly<Record<string, Fault>> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  integer: { type: "int_type", msg: "Input should be a valid integer" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  object: { type: "dict_type", msg: "Input should be a valid dictionary" },
};

const FRACTION: Fault = {
  type: "int_from_float",
  msg: "Input should be a valid integer, got a number with a fractional part",
};

const NO_OBJECT: Fault = {
  type: "model_attributes_type",
  msg: "Input should be a valid dictionary or object to extract fields from",
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const tooLong = (max: number, length: number): Fault => ({
  type: "too_long",
  msg: `List should have at most ${plural(max, "item")} after validation, not ${length}`,
  ctx: { field_type: "List", max_length: max, actual_length: length },
});

/** Each keyword's words. `limit` is the keyword's value, `data` what was sent. */
const KEYWORD_FAULTS: Readonly<Record<string, (limit: never, data: never) => Fault>> = {
  maxLength: (max: number) => ({
    type: "string_too_long",
    msg: `String should have at most ${plural(max, "character")}`,
    ctx: { max_length: max },
  }),
  minLength: (min: number) => ({
    type: "string_too_short",
    msg: `String should have at least ${plural(min, "character")}`,
    ctx: { min_length: min },
  }),
  maxItems: (max: number, data: readonly Json[]) => tooLong(max, data.length),
  minItems: (min: number, data: readonly Json[]) => ({
    type: "too_short",
    msg: `List should have at least ${plural(min, "item")} after validation, not ${data.length}`,
    ctx: { field_type: "List", min_length: min, actual_length: data.length },
  }),
  minimum: (ge: number) => ({
    type: "greater_than_equal",
    msg: `Input should be greater than or equal to ${ge}`,
    ctx: { ge },
  }),
  maximum: (le: number) => ({
    type: "less_than_equal",
    msg: `Input should be less than or equal to ${le}`,
    ctx: { le },
  }),
  maxProperties: (max: number) => ({
    type: "too_long",
    msg: `Dictionary should have at most ${plural(max, "item")} after validation`,
    ctx: { field_type: "Dictionary", max_length: max },
  }),
};

/** The values of an enumeration, without other spellings that are taken for them. */
function valuesOf(schema: ErrorObject["parentSchema"]): readonly Json[] {
  const also = (schema?.["x-also"] ?? []) as readonly Json[];
  return ((schema?.["enum"] ?? []) as readonly Json[]).filter((value) => !also.includes(value));
}

export function enumFault(values: readonly Json[]): Fault {
  const quoted = values.filter((value) => value !== null).map((value) => `'${String(value)}'`);
  const expected = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)]
    .filter(Boolean)
    .join(" or ");
  return { type: "enum", msg: `Input should be ${expected}`, ctx: { expected } };
}

function typeFault({ parentSchema, data, instancePath }: ErrorObject): Fault {
  if (Array.isArray(parentSchema?.["enum"])) return enumFault(valuesOf(parentSchema));
  const wanted = [parentSchema?.["type"]].flat().find((name) => name !== "null") as string;
  if (wanted === "object" && instancePath === "") return NO_OBJECT;
  if (wanted === "integer" && typeof data === "number") return FRACTION;
  return TYPE_FAULTS[wanted] ?? { type: "value_error", msg: "Value error, wrong type" };
}

function toIssue(error: ErrorObject, body: unknown): Issue {
  const loc = ["body", ...locOf(error.instancePath, body)];
  const input = error.data;
  switch (error.keyword) {
    case "required": {
      const missing = String(error.params["missingProperty"]);
      return { type: "missing", loc: [...loc, missing], msg: "Field required", input };
    }
    case "additionalProperties": {
      const extra = String(error.params["additionalProperty"]);
      return extraForbidden([...loc, extra], (input as Record<string, unknown>)[extra]);
    }
    case "type":
      return { loc, input, ...typeFault(error) };
    case "x-rule": {
      const {
        at,
        within = at === undefined ? [] : [at],
        ...fault
      } = error.params["fault"] as Fault;
      // Of a member that is missing its object is shown, as for `required`.
      const shown = fault.type === "missing" ? within.slice(0, -1) : within;
      return { loc: [...loc, ...within], input: memberOf(input, shown), ...fault };
    }
    case "enum":
      return { loc, input, ...enumFault(valuesOf(error.parentSchema)) };
    default: {
      const fault = KEYWORD_FAULTS[error.keyword]?.(error.schema as never, error.data as never);
      const msg = `Value error, ${error.message ?? error.keyword}`;
      return { loc, input, ...(fault ?? { type: "value_error", msg }) };
    }
  }
}

const memberOf = (input: unknown, way: Issue["loc"]): unknown =>
  way.reduce((value, part) => (value as Record<string, unknown>)[part] ?? null, input);

export const extraForbidden = (loc: Issue["loc"], input: unknown): Issue => ({
  type: "extra_forbidden",
  loc,
  msg: "Extra inputs are not permitted",
  input,
});

/** A member of a body that never changes was sent with another value than the stored one. */
export const frozenIssue = (name: string, input: unknown): Issue => ({
  type: "frozen_field",
  loc: ["body", name],
  msg: "Field is frozen: it cannot be changed after creation",
  input,
});

/** `/tags/0` → ["tags", 0]: a part is an index where its parent is a list. */
function locOf(pointer: string, body: unknown): (string | number)[] {
  let parent = body;
  return pointer
    .split("/")
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
      const part = Array.isArray(parent) ? Number(name) : name;
      parent = (parent as Record<string | number, unknown>)[part];
      return part;
    });
}

/** A wrong type is told once, not again by each keyword that then cannot hold. */
function onePerPlace(issues: readonly Issue[]): Issue[] {
  // By parts: a name can be as long as a body, and joined it would be copied for each issue within it.
  const root: Place = { parts: new Map() };
  const places = new Set<Required<Place>>();
  for (const issue of issues) {
    let place = root;
    for (const part of issue.loc) {
      const inner = place.parts.get(part) ?? { parts: new Map() };
      place.parts.set(part, inner);
      place = inner;
    }
    if (place.issue === undefined || issue.type === "enum") place.issue = issue;
    places.add(place as Required<Place>);
  }
  return [...places].map(({ issue }) => issue);
}

interface Place {
  readonly parts: Map<string | number, Place>;
  issue?: Issue;
}

/** Known members in the schema's order, then the unknown ones: the order of the recorded answers. */
function inOrder(issues: readonly Issue[], order: ReadonlyMap<string, number>): Issue[] {
  const rank = ({ loc }: Issue): number =>
    loc.length === 1 ? -1 : (order.get(String(loc[1])) ?? order.size);
  return issues.toSorted((a, b) => rank(a) - rank(b));
}
