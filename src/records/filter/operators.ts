/** The operators that are put on a field, one row each, and the values they take. */

import type { Sql } from "sql-template-tag";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import {
  allOf,
  anyOf,
  FALSE,
  hasAny,
  not,
  type Comparison,
  type KeyLookUp,
  type Place,
  type Scalar,
} from "./places.ts";
import { DEPTH_MAX, VALUES_MAX, type FilterReading } from "./reading.ts";
import { postgresRegex } from "./regex.ts";
import { RegexError } from "./regex-syntax.ts";
import { looksLikeObjectId, objectIdOf } from "./syntax.ts";

/** Where in a filter we are. */
export interface Here {
  readonly reading: FilterReading;
  /** The path to here, such as `$or.0.name.$in`; "" at the top. */
  readonly at: string;
  /** How many objects of conditions we are inside of. */
  readonly depth: number;
  /** Reads an object of conditions on these fields. */
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
    if (place.compares === undefined) return refuse(here, "entries have no order; name a member");
    return place.compares(how, value);
  };

/** A list among the values is a list that the field equals as a whole. */
const oneOf: Operator = (place, operand, here) => {
  if (place.list?.is === undefined || !Array.isArray(operand) || !operand.some(Array.isArray)) {
    const values = scalars(place, operand, here);
    return values === undefined ? FALSE : place.oneOf(values);
  }
  if (operand.length > VALUES_MAX) return refuse(here, `takes at most ${VALUES_MAX} values`);
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
  if (typeof operand !== "boolean") return refuse(here, "$exists takes true or false");
  return operand ? place.exists : not(place.exists);
};

const negated: Operator = (place, operand, here) => {
  if (!isOperators(operand) || Object.keys(operand).length === 0) {
    return refuse(here, '$not takes an object of operators, such as {"$in": ["…"]}');
  }
  return not(conditions(place, operand, here));
};

const matches: Operator = (place, operand, here, siblings) => {
  const options = siblings["$options"] ?? "";
  if (typeof operand !== "string" || !isText(operand, here)) {
    return refuse(here, "$regex takes a pattern in a string");
  }
  if (typeof options !== "string") return refuse(here, "$options takes a string of i, m, s, x");
  if (place.matches === undefined) return refuse(here, `a ${place.type} matches no pattern`);
  try {
    return place.matches((more) => postgresRegex(operand, options + more));
  } catch (error) {
    if (error instanceof RegexError) return refuse(here, error.message);
    throw error;
  }
};

const all: Operator = (place, operand, here) => {
  if (!Array.isArray(operand)) return refuse(here, "takes a list of values");
  if (operand.length > VALUES_MAX) return refuse(here, `takes at most ${VALUES_MAX} values`);
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
  if (place.list === undefined) return refuse(here, "$size is for lists");
  if (typeof operand !== "number" || !Number.isInteger(operand) || operand < 0) {
    return refuse(here, "$size takes a whole number that is not negative");
  }
  return operand > 0x7fffffff ? FALSE : place.list.size(operand);
};

const elemMatch: Operator = (place, operand, here) => {
  const { list } = place;
  if (list === undefined) return refuse(here, "$elemMatch is for lists");
  if (!isObject(operand)) return refuse(here, "$elemMatch takes an object of conditions");
  if (list.members !== undefined) {
    const condition = list.some(here.query(operand, list.members, here));
    const narrowed = lookUpsAmong(operand, list.lookUp).map(hasAny);
    return allOf([...narrowed.filter((found) => found !== undefined), condition]);
  }
  if (list.element === undefined || !isOperators(operand) || Object.keys(operand).length === 0) {
    return refuse(here, '$elemMatch on a list of texts takes operators, such as {"$gt": "…"}');
  }
  return list.some(conditions(list.element, operand, here));
};

/** Every operator on a field. `$options` belongs to `$regex`. */
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

/** What stands behind a field's name: an object of operators, or the value that it equals. */
export function conditions(place: Place, operand: Json, outer: Here): Sql {
  const here = { ...outer, depth: outer.depth + 1 };
  if (!isOperators(operand)) {
    here.reading.countCondition();
    return equals(place, operand, outer, {});
  }
  if (here.depth > DEPTH_MAX) return refuse(here, `conditions nest at most ${DEPTH_MAX} deep`);
  if (Object.keys(operand).length === 0) return refuse(here, "an empty object equals nothing");
  if ("$options" in operand && !("$regex" in operand)) {
    refuse(below(here, "$options"), "$options goes with $regex");
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
              `unknown operator; known are ${[...OPERATORS.keys()].join(", ")}`,
            )
          : operator(place, value, below(here, name), operand);
      }),
  );
}

export function refuse({ reading, at }: Here, reason: string): Sql {
  reading.refuse(at, reason);
  return FALSE;
}

/** An object with operators in it; an id in the spelling `{"$oid": "…"}` is a value. */
const isOperators = (value: Json): value is JsonObject =>
  isObject(value) &&
  !looksLikeObjectId(value) &&
  (Object.keys(value).length === 0 || Object.keys(value).some((name) => name.startsWith("$")));

function isList(place: Place, operand: readonly Json[], here: Here): Sql {
  const { list } = place;
  if (list === undefined) return refuse(here, `takes a ${place.type}, not a list; $in takes lists`);
  if (operand.length > VALUES_MAX) return refuse(here, `takes at most ${VALUES_MAX} values`);
  if (operand.length === 0) return list.size(0);
  if (list.is === undefined)
    return refuse(here, "$in and $all take lists, a plain value is a string");
  const values = operand.map((value, i) => scalar(place, value, below(here, i)));
  const strings = values.filter((value) => typeof value === "string");
  return strings.length === values.length ? list.is(strings) : FALSE;
}

function scalars(place: Place, operand: Json, here: Here): readonly Scalar[] | undefined {
  if (!Array.isArray(operand)) return nothing(here, "takes a list of values");
  if (operand.length > VALUES_MAX) return nothing(here, `takes at most ${VALUES_MAX} values`);
  const values = operand.map((value, i) => scalar(place, value, below(here, i)));
  return values.some((value) => value === undefined) ? undefined : (values as Scalar[]);
}

/** The value as it is stored; undefined, with the reason noted, where it could never match. */
function scalar(place: Place, operand: Json, here: Here): Scalar | undefined {
  if (looksLikeObjectId(operand) && (place.ids || isObject(operand)))
    return id(place, operand, here);
  if (operand === null) return null;
  if (typeof operand !== place.type || (typeof operand === "number" && !Number.isFinite(operand))) {
    return nothing(here, `takes a ${place.type} or null`);
  }
  if (typeof operand === "string" && !isText(operand, here)) return undefined;
  return place.stored(operand as Scalar);
}

function id(place: Place, operand: Json, here: Here): string | undefined {
  if (!place.ids) return nothing(here, "ObjectId('…') goes with ids only");
  if (!here.reading.evalObjectId) {
    return nothing(here, "ObjectId('…') is read only with eval_object_id=true");
  }
  return objectIdOf(operand) ?? nothing(here, "ObjectId('…') takes 24 hex characters in quotes");
}

/** PostgreSQL keeps no U+0000 and no half of a surrogate pair. */
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

/** What an index finds for a field's condition: all that can match, and maybe more. */
export function lookUpsOf(place: Place, operand: Json): readonly KeyLookUp[] {
  const values = stringsAsked(operand);
  const own = values === undefined ? undefined : place.lookUp?.(values);
  const elements = isObject(operand) ? (operand["$elemMatch"] ?? null) : null;
  const within = isObject(elements) ? lookUpsAmong(elements, place.list?.lookUp) : [];
  return own === undefined ? within : [own, ...within];
}

function lookUpsAmong(
  elements: JsonObject,
  lookUp: ((member: string, values: readonly string[]) => KeyLookUp | undefined) | undefined,
): readonly KeyLookUp[] {
  return Object.entries(elements).flatMap(([member, wanted]) => {
    const values = stringsAsked(wanted);
    const found = values === undefined ? undefined : lookUp?.(member, values);
    return found === undefined ? [] : [found];
  });
}

/** The strings that a field or member must equal one of, where that is what is asked. */
function stringsAsked(wanted: Json): readonly string[] | undefined {
  if (typeof wanted === "string") return [wanted];
  if (!isObject(wanted)) return undefined;
  const values = "$eq" in wanted ? [wanted["$eq"]] : wanted["$in"];
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string"))
    return undefined;
  return values;
}
