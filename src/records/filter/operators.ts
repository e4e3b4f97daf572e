/** The operators on fields, and the values that they accept. */

import type { Sql } from "sql-template-tag";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import {
  allOf,
  anyOf,
  FALSE,
  hasAny,
  not,
  type Comparison,
  type KeyLookup,
  type Place,
  type Scalar,
} from "./places.ts";
import { DEPTH_MAX, VALUES_MAX, type FilterReading } from "./reading.ts";
import { postgresRegex } from "./regex.ts";
import { RegexError } from "./regex-syntax.ts";
import { looksLikeObjectId, objectIdOf } from "./syntax.ts";

/** The current position while a filter is being compiled. */
export interface Here {
  readonly reading: FilterReading;
  /** The path of the position, such as `$or.0.name.$in`, or "" at the top level. */
  readonly at: string;
  /** The number of condition objects that enclose the position. */
  readonly depth: number;
  /** Compiles a condition object on these fields. */
  readonly query: (query: JsonObject, fields: ReadonlyMap<string, Place>, here: Here) => Sql;
}

export const below = (here: Here, step: string | number): Here => ({
  ...here,
  at: here.at === "" ? String(step) : `${here.at}.${step}`,
});

type Operator = (place: Place, operand: Json, here: Here, siblings: JsonObject) => Sql;

const compares =
  (how: Comparison): Operator =>
  (place, operand, here) => {
    const value = scalar(place, operand, here);
    if (value === undefined) return FALSE;
    if (place.compares === undefined)
      return refuse(here, "entries cannot be ordered; compare one of their members");
    return place.compares(how, value);
  };

/** If one of the values is a list, it matches fields that equal the entire list. */
const oneOf: Operator = (place, operand, here) => {
  if (place.list?.is === undefined || !Array.isArray(operand) || !operand.some(Array.isArray)) {
    const values = scalars(place, operand, here);
    return values === undefined ? FALSE : place.oneOf(values);
  }
  if (operand.length > VALUES_MAX) return refuse(here, `must have at most ${VALUES_MAX} values`);
  const values = operand.flatMap((value, i) =>
    Array.isArray(value) ? [] : [scalar(place, value, below(here, i))],
  );
  const lists = operand.flatMap((value, i) =>
    Array.isArray(value) ? [isList(place, value, below(here, i))] : [],
  );
  return anyOf([place.oneOf(values.filter((value) => value !== undefined)), ...lists]);
};

const equals: Operator = (place, operand, here) => {
  if (Array.isArray(operand)) return isList(place, operand, here);
  const value = scalar(place, operand, here);
  return value === undefined ? FALSE : place.equals(value);
};

const exists: Operator = (place, operand, here) => {
  if (typeof operand !== "boolean") return refuse(here, "$exists must be true or false");
  return operand ? place.exists : not(place.exists);
};

const negated: Operator = (place, operand, here) => {
  if (!isOperators(operand) || Object.keys(operand).length === 0) {
    return refuse(here, '$not must be an object with operators, such as {"$in": ["…"]}');
  }
  return not(conditions(place, operand, here));
};

const matches: Operator = (place, operand, here, siblings) => {
  const options = siblings["$options"] ?? "";
  if (typeof operand !== "string" || !isText(operand, here)) {
    return refuse(here, "$regex must be a string with a pattern");
  }
  if (typeof options !== "string")
    return refuse(here, "$options must be a string of the letters i, m, s and x");
  if (place.matches === undefined) return refuse(here, `$regex cannot be used on a ${place.type}`);
  try {
    return place.matches((ignoresCase) => postgresRegex(operand, options, ignoresCase));
  } catch (error) {
    if (error instanceof RegexError) return refuse(here, error.message);
    throw error;
  }
};

const all: Operator = (place, operand, here) => {
  if (!Array.isArray(operand)) return refuse(here, "must be a list of values");
  if (operand.length > VALUES_MAX) return refuse(here, `must have at most ${VALUES_MAX} values`);
  if (operand.length === 0) return FALSE;
  if (place.list?.has !== undefined && operand.every((value) => typeof value === "string")) {
    const values = scalars(place, operand, here);
    return values === undefined ? FALSE : place.list.has(operand);
  }
  const each = operand.map((value, i) =>
    isObject(value) && "$elemMatch" in value
      ? conditions(place, value, below(here, i))
      : equals(place, value, below(here, i), {}),
  );
  return allOf(each);
};

const size: Operator = (place, operand, here) => {
  if (place.list === undefined) return refuse(here, "$size can be used only on lists");
  if (typeof operand !== "number" || !Number.isInteger(operand) || operand < 0) {
    return refuse(here, "$size must be a non-negative whole number");
  }
  return operand > 0x7fffffff ? FALSE : place.list.size(operand);
};

const elemMatch: Operator = (place, operand, here) => {
  const { list } = place;
  if (list === undefined) return refuse(here, "$elemMatch can be used only on lists");
  if (!isObject(operand)) return refuse(here, "$elemMatch must be an object with conditions");
  if (list.members !== undefined) {
    const condition = list.some(here.query(operand, list.members, here));
    const narrowed = lookupsAmong(operand, list.lookup).map(hasAny);
    return allOf([...narrowed.filter((found) => found !== undefined), condition]);
  }
  if (list.element === undefined || !isOperators(operand) || Object.keys(operand).length === 0) {
    return refuse(
      here,
      '$elemMatch on a list of strings must be an object with operators, such as {"$gt": "…"}',
    );
  }
  return list.some(conditions(list.element, operand, here));
};

/** All operators on a field. `$options` is parsed together with `$regex`. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["$eq", equals],
  ["$ne", (...condition) => not(equals(...condition))],
  ["$gt", compares(">")],
  ["$gte", compares(">=")],
  ["$lt", compares("<")],
  ["$lte", compares("<=")],
  ["$in", oneOf],
  ["$nin", (...condition) => not(oneOf(...condition))],
  ["$exists", exists],
  ["$not", negated],
  ["$regex", matches],
  ["$all", all],
  ["$size", size],
  ["$elemMatch", elemMatch],
]);

/** Compiles the conditions on a field: an object with operators, or a value that the field must equal. */
export function conditions(place: Place, operand: Json, outer: Here): Sql {
  const here = { ...outer, depth: outer.depth + 1 };
  if (!isOperators(operand)) {
    here.reading.countCondition();
    return equals(place, operand, outer, {});
  }
  if (here.depth > DEPTH_MAX)
    return refuse(here, `conditions can be nested at most ${DEPTH_MAX} levels deep`);
  if (Object.keys(operand).length === 0) return refuse(here, "an empty object matches nothing");
  if ("$options" in operand && !("$regex" in operand)) {
    refuse(below(here, "$options"), "$options can be used only with $regex");
  }
  return allOf(
    Object.entries(operand)
      .filter(([name]) => name !== "$options")
      .map(([name, value]) => {
        const operator = OPERATORS.get(name);
        if (name !== "$not" && name !== "$elemMatch") here.reading.countCondition();
        return operator === undefined
          ? refuse(
              below(here, name),
              `unknown operator; supported operators are ${[...OPERATORS.keys()].join(", ")}`,
            )
          : operator(place, value, below(here, name), operand);
      }),
  );
}

export function refuse({ reading, at }: Here, reason: string): Sql {
  reading.refuse(at, reason);
  return FALSE;
}

/** Whether an operand is an object of operators. An id in the form `{"$oid": "…"}` is a value. */
const isOperators = (value: Json): value is JsonObject =>
  isObject(value) &&
  !looksLikeObjectId(value) &&
  (Object.keys(value).length === 0 || Object.keys(value).some((name) => name.startsWith("$")));

function isList(place: Place, operand: readonly Json[], here: Here): Sql {
  const { list } = place;
  if (list === undefined)
    return refuse(here, `must be a ${place.type}, not a list; use $in for several values`);
  if (operand.length > VALUES_MAX) return refuse(here, `must have at most ${VALUES_MAX} values`);
  if (operand.length === 0) return list.size(0);
  if (list.is === undefined)
    return refuse(here, "must be a string, not a list; use $in or $all for several values");
  const values = operand.map((value, i) => scalar(place, value, below(here, i)));
  const strings = values.filter((value) => typeof value === "string");
  return strings.length === values.length ? list.is(strings) : FALSE;
}

function scalars(place: Place, operand: Json, here: Here): readonly Scalar[] | undefined {
  if (!Array.isArray(operand)) return nothing(here, "must be a list of values");
  if (operand.length > VALUES_MAX) return nothing(here, `must have at most ${VALUES_MAX} values`);
  const values = operand.map((value, i) => scalar(place, value, below(here, i)));
  return values.some((value) => value === undefined) ? undefined : (values as Scalar[]);
}

/** Returns a value in its stored form. If the value can never match, reports it and returns undefined. */
function scalar(place: Place, operand: Json, here: Here): Scalar | undefined {
  if (looksLikeObjectId(operand) && (place.ids || isObject(operand)))
    return id(place, operand, here);
  if (operand === null) return null;
  if (typeof operand !== place.type || (typeof operand === "number" && !Number.isFinite(operand))) {
    return nothing(here, `must be a ${place.type} or null`);
  }
  if (typeof operand === "string" && !isText(operand, here)) return undefined;
  return place.stored(operand as Scalar);
}

function id(place: Place, operand: Json, here: Here): string | undefined {
  if (!place.ids) return nothing(here, "ObjectId('…') can be used only for ids");
  if (!here.reading.evalObjectId) {
    return nothing(here, "ObjectId('…') can be used only with eval_object_id=true");
  }
  return (
    objectIdOf(operand) ??
    nothing(here, "ObjectId('…') must contain 24 hexadecimal characters in quotes")
  );
}

/** Rejects U+0000 and unpaired surrogates, which PostgreSQL cannot store. */
function isText(text: string, { reading }: Here): boolean {
  if (text.isWellFormed() && !text.includes("\0")) return true;
  reading.add({
    type: "string_unicode",
    msg: "Input should be a valid string, unable to parse raw data as a unicode string",
  });
  return false;
}

function nothing(here: Here, reason: string): undefined {
  here.reading.refuse(here.at, reason);
  return undefined;
}

/** Returns index lookups for a condition on a field. Each finds a superset of the matching records. */
export function lookupsOf(place: Place, operand: Json): readonly KeyLookup[] {
  const values = wantedStrings(operand);
  const own = values === undefined ? undefined : place.lookup?.(values);
  const elements = isObject(operand) ? (operand["$elemMatch"] ?? null) : null;
  const within = isObject(elements) ? lookupsAmong(elements, place.list?.lookup) : [];
  return own === undefined ? within : [own, ...within];
}

function lookupsAmong(
  elements: JsonObject,
  lookup: ((member: string, values: readonly string[]) => KeyLookup | undefined) | undefined,
): readonly KeyLookup[] {
  return Object.entries(elements).flatMap(([member, wanted]) => {
    const values = wantedStrings(wanted);
    const found = values === undefined ? undefined : lookup?.(member, values);
    return found === undefined ? [] : [found];
  });
}

/**
 * If the condition requires the field or member to equal one of several strings, returns these strings. Otherwise,
 * returns undefined.
 */
export function wantedStrings(wanted: Json): readonly string[] | undefined {
  if (typeof wanted === "string") return [wanted];
  if (!isObject(wanted)) return undefined;
  const values = "$eq" in wanted ? [wanted["$eq"]] : wanted["$in"];
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string"))
    return undefined;
  return values;
}
