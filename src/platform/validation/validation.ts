/**
 * Validates bodies against JSON Schema and returns the issues for a 422 response. Ajv does not change bodies: it does
 * not coerce values, add defaults or remove members. It finds all errors, and each one gets a type and message from
 * docs/errors.md.
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Issue } from "../errors/index.ts";
import { isObject, type Json, unstorableIssues, asList } from "../json/index.ts";

export type Schema = { readonly [keyword: string]: unknown };

/** A problem that a rule found in the checked value, or at a member (`at`) or path (`within`) inside the value. */
export type Fault = Pick<Issue, "type" | "msg" | "ctx"> & {
  readonly at?: string;
  readonly within?: Issue["loc"];
};

/** Creates a fault with a custom message, optionally for a member. */
export const valueError = (sentence: string, at?: string): Fault => ({
  type: "value_error",
  msg: `Value error, ${sentence}`,
  ctx: { error: {} },
  ...(at !== undefined && { at }),
});

/**
 * A check that JSON Schema cannot express. Schemas refer to it with `"x-rule": [name, argument]`. If the schema has a
 * type, the rule is called only with values of that type.
 */
export type Rule = (value: Json, argument: never) => readonly Fault[];

/**
 * Returns the issues of a body, or an empty list. Stops checking a list or object after COLLECTED_MAX issues.
 */
export type Check = (body: unknown) => readonly Issue[];

/** A response contains up to 100 issues. More are collected, because only one issue per place is kept. */
export const COLLECTED_MAX = 1000;

const LOOPS = /for\((?:let (i\d+)=0; \1<len\d+|const key\d+ in data\d*\)\{)/g;

/**
 * With `allErrors`, Ajv collects the errors of every element in a list. This function changes the
 * generated code so that each loop over elements or members ends once it has found enough errors.
 */
function stopAtMany(code: string): string {
  let loops = 0;
  return code.replaceAll(LOOPS, (head: string, index?: string) => {
    const stop = `stop${(loops += 1)}`;
    const rest = index === undefined ? `if(errors >= ${stop})break;` : ` && errors < ${stop}`;
    return `const ${stop} = errors + ${COLLECTED_MAX};${head}${rest}`;
  });
}

/** Creates a compiler for schemas that use the given rules. Each schema is compiled on first use. */
export function checker(rules: Readonly<Record<string, Rule>>): (schema: Schema) => Check {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    code: { process: stopAtMany },
    // 1e400 is valid JSON, but it is parsed as Infinity, which JSON cannot represent.
    strictNumbers: true,
    unicodeRegExp: true,
  });
  ajv.addKeyword({
    keyword: "x-rule",
    errors: true,
    compile: ([name, argument]: readonly [string, never], { type }) => {
      const rule = rules[name];
      if (rule === undefined) throw new Error(`Unknown rule: ${name}`);
      const types = new Set([type as string | readonly string[] | undefined].flat());
      return function check(value: Json): boolean {
        // A wrong type has already been reported. Rules are not called for it, so they can rely on the type.
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

/** Returns the JSON Schema types of a value. */
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

/**
 * The fault to report for each keyword. `limit` is the keyword's value in the schema, and `data` is the value that was
 * sent.
 */
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

/** Returns the values of an enumeration, excluding accepted aliases. */
function valuesOf(schema: ErrorObject["parentSchema"]): readonly Json[] {
  const also = asList(schema?.["x-also"]);
  return asList(schema?.["enum"]).filter((value) => !also.includes(value));
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
  const wanted = String([parentSchema?.["type"]].flat().find((name) => name !== "null"));
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
      return extraForbidden([...loc, extra], partOf(input, extra));
    }
    case "type":
      return { loc, input, ...typeFault(error) };
    case "x-rule": {
      const {
        at,
        within = at === undefined ? [] : [at],
        ...fault
      } = error.params["fault"] as Fault;
      // If a required member is missing, the issue's `input` is the object that lacks it.
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

/** Returns a member of an object or an element of a list. */
function partOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return value[Number(part)];
  return isObject(value) ? value[part] : undefined;
}

const memberOf = (input: unknown, path: Issue["loc"]): unknown =>
  path.reduce((value, part) => partOf(value, part) ?? null, input);

export const extraForbidden = (loc: Issue["loc"], input: unknown): Issue => ({
  type: "extra_forbidden",
  loc,
  msg: "Extra inputs are not permitted",
  input,
});

/** Creates the issue for a member that cannot be changed but was sent with a different value. */
export const frozenIssue = (name: string, input: unknown): Issue => ({
  type: "frozen_field",
  loc: ["body", name],
  msg: "Field is frozen: it cannot be changed after creation",
  input,
});

/** Converts `/tags/0` to ["tags", 0]. A part is an index if its parent is a list. */
function locOf(pointer: string, body: unknown): (string | number)[] {
  let parent = body;
  return pointer
    .split("/")
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
      const part = Array.isArray(parent) ? Number(name) : name;
      parent = partOf(parent, part);
      return part;
    });
}

/** Keeps one issue per place. Otherwise, several keywords could report the same wrong type. */
function onePerPlace(issues: readonly Issue[]): Issue[] {
  // A tree whose nodes are path parts. Member names can be as long as a body, and joining them into paths would copy
  // them for each issue.
  const root: Place = { parts: new Map() };
  const found = new Map<Place, Issue>();
  for (const issue of issues) {
    let place = root;
    for (const part of issue.loc) {
      const inner = place.parts.get(part) ?? { parts: new Map() };
      place.parts.set(part, inner);
      place = inner;
    }
    if (!found.has(place) || issue.type === "enum") found.set(place, issue);
  }
  return [...found.values()];
}

interface Place {
  readonly parts: Map<string | number, Place>;
}

/** Sorts issues by the order of members in the schema. Unknown members come last. */
function inOrder(issues: readonly Issue[], order: ReadonlyMap<string, number>): Issue[] {
  const rank = ({ loc }: Issue): number =>
    loc.length === 1 ? -1 : (order.get(String(loc[1])) ?? order.size);
  return issues.toSorted((a, b) => rank(a) - rank(b));
}
