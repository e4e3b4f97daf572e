/** The operators on fields, and the operands that they accept. */

import type { Json, JsonObject } from "../../../platform/json/index.ts";
import {
  combined,
  membersOf,
  not,
  NOTHING,
  type Condition,
  type Filter,
  type FilterField,
  type Scalar,
} from "./filter.ts";
import { DEPTH_MAX, VALUES_MAX } from "./findings.ts";
import { isObject, looksLikeObjectId } from "./object-ids.ts";
import { below, isString, isText, refuse, scalar, scalars, type Here } from "./values.ts";

type Operator = (field: FilterField, operand: Json, here: Here, siblings: JsonObject) => Filter;

const compares =
  (op: "gt" | "gte" | "lt" | "lte"): Operator =>
  (field, operand, here) => {
    const value = scalar(field, operand, here);
    if (value === undefined) return NOTHING;
    if (field.kind === "entries") {
      return refuse(here, "entries cannot be ordered; compare one of their members");
    }
    return { op, field, value };
  };

/** If one of the values is a list, it matches fields that equal the entire list. */
const oneOf: Operator = (field, operand, here) => {
  if (field.kind !== "texts" || !Array.isArray(operand) || !operand.some(Array.isArray)) {
    const values = scalars(field, operand, here);
    return values === undefined ? NOTHING : { op: "in", field, values };
  }
  if (operand.length > VALUES_MAX) return refuse(here, `must have at most ${VALUES_MAX} values`);
  const values: Scalar[] = [];
  for (const [i, value] of operand.entries()) {
    const read = Array.isArray(value) ? undefined : scalar(field, value, below(here, i));
    if (read !== undefined) values.push(read);
  }
  const lists = operand.flatMap((value: Json, i) =>
    Array.isArray(value) ? [isList(field, value, below(here, i))] : [],
  );
  return combined("or", [{ op: "in", field, values }, ...lists]);
};

const equals: Operator = (field, operand, here) => {
  if (Array.isArray(operand)) return isList(field, operand, here);
  const value = scalar(field, operand, here);
  return value === undefined ? NOTHING : { op: "eq", field, value };
};

const exists: Operator = (field, operand, here) => {
  if (typeof operand !== "boolean") return refuse(here, "$exists must be true or false");
  const condition: Condition = { op: "exists", field };
  return operand ? condition : not(condition);
};

const negated: Operator = (field, operand, here) => {
  if (!isOperators(operand) || Object.keys(operand).length === 0) {
    return refuse(here, '$not must be an object with operators, such as {"$in": ["…"]}');
  }
  return not(conditions(field, operand, here));
};

const matches: Operator = (field, operand, here, siblings) => {
  const options = siblings["$options"] ?? "";
  if (typeof operand !== "string" || !isText(operand, here)) {
    return refuse(here, "$regex must be a string with a pattern");
  }
  if (typeof options !== "string") {
    return refuse(here, "$options must be a string of the letters i, m, s and x");
  }
  if (field.type !== "string") return refuse(here, `$regex cannot be used on a ${field.type}`);
  const ignoresCase = field.kind === "entries" && field.main === "email";
  const regex = { op: "regex", field, pattern: operand, options, ignoresCase } as const;
  const fault = here.context.regexFault(regex);
  return fault === undefined ? regex : refuse(here, fault);
};

const all: Operator = (field, operand, here) => {
  if (!Array.isArray(operand)) return refuse(here, "must be a list of values");
  if (operand.length > VALUES_MAX) return refuse(here, `must have at most ${VALUES_MAX} values`);
  if (operand.length === 0) return NOTHING;
  if (field.kind === "texts" && operand.every(isString)) {
    const values = scalars(field, operand, here);
    return values === undefined ? NOTHING : { op: "all", field, values: operand };
  }
  const each = operand.map((value: Json, i) =>
    isObject(value) && "$elemMatch" in value
      ? conditions(field, value, below(here, i))
      : equals(field, value, below(here, i), {}),
  );
  return combined("and", each);
};

const size: Operator = (field, operand, here) => {
  if (!isListField(field)) return refuse(here, "$size can be used only on lists");
  if (typeof operand !== "number" || !Number.isInteger(operand) || operand < 0) {
    return refuse(here, "$size must be a non-negative whole number");
  }
  return operand > 0x7fffffff ? NOTHING : { op: "size", field, size: operand };
};

const ELEMENT: FilterField = { kind: "element", name: "", type: "string" };

const elemMatch: Operator = (field, operand, here) => {
  if (!isListField(field)) return refuse(here, "$elemMatch can be used only on lists");
  if (!isObject(operand)) return refuse(here, "$elemMatch must be an object with conditions");
  if (field.kind === "entries") {
    return { op: "some", field, of: here.query(operand, membersOf(field), here) };
  }
  if (!isOperators(operand) || Object.keys(operand).length === 0) {
    return refuse(
      here,
      '$elemMatch on a list of strings must be an object with operators, such as {"$gt": "…"}',
    );
  }
  return { op: "some", field, of: conditions(ELEMENT, operand, here) };
};

/** All operators on a field. `$options` is parsed together with `$regex`. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["$eq", equals],
  ["$ne", (...condition) => not(equals(...condition))],
  ["$gt", compares("gt")],
  ["$gte", compares("gte")],
  ["$lt", compares("lt")],
  ["$lte", compares("lte")],
  ["$in", oneOf],
  ["$nin", (...condition) => not(oneOf(...condition))],
  ["$exists", exists],
  ["$not", negated],
  ["$regex", matches],
  ["$all", all],
  ["$size", size],
  ["$elemMatch", elemMatch],
]);

const unknown: Operator = (_field, _operand, here) =>
  refuse(here, `unknown operator; supported operators are ${[...OPERATORS.keys()].join(", ")}`);

/** Parses the conditions on a field: an object with operators, or a value that the field must equal. */
export function conditions(field: FilterField, operand: Json, outer: Here): Filter {
  if (!isOperators(operand)) {
    outer.findings.countCondition();
    return equals(field, operand, outer, {});
  }
  const here = { ...outer, depth: outer.depth + 1 };
  if (here.depth > DEPTH_MAX) {
    return refuse(here, `conditions can be nested at most ${DEPTH_MAX} levels deep`);
  }
  if (Object.keys(operand).length === 0) return refuse(here, "an empty object matches nothing");
  if ("$options" in operand && !("$regex" in operand)) {
    refuse(below(here, "$options"), "$options can be used only with $regex");
  }
  const parts: Filter[] = [];
  for (const [name, value] of Object.entries(operand)) {
    if (name === "$options") continue;
    const operator = OPERATORS.get(name) ?? unknown;
    if (name !== "$not" && name !== "$elemMatch") here.findings.countCondition();
    parts.push(operator(field, value, below(here, name), operand));
  }
  return combined("and", parts);
}

/** Whether an operand is an object of operators. An id in the form `{"$oid": "…"}` is a value. */
const isOperators = (value: Json): value is JsonObject =>
  isObject(value) &&
  !looksLikeObjectId(value) &&
  (Object.keys(value).length === 0 || Object.keys(value).some((name) => name.startsWith("$")));

const isListField = (field: FilterField): boolean =>
  field.kind === "texts" || field.kind === "entries";

function isList(field: FilterField, operand: readonly Json[], here: Here): Filter {
  if (!isListField(field)) {
    return refuse(here, `must be a ${field.type}, not a list; use $in for several values`);
  }
  if (operand.length > VALUES_MAX) return refuse(here, `must have at most ${VALUES_MAX} values`);
  if (operand.length === 0) return { op: "size", field, size: 0 };
  if (field.kind === "entries") {
    return refuse(here, "must be a string, not a list; use $in or $all for several values");
  }
  const values = operand.map((value, i) => scalar(field, value, below(here, i)));
  const strings = values.filter(isString);
  return strings.length === values.length ? { op: "list", field, values: strings } : NOTHING;
}
