/**
 * Builds examples from schemas. Records have a complete example. For all other schemas, the example is built member by
 * member.
 */

import {
  isObject,
  type Json,
  type JsonObject,
  asList,
  asObject,
  pick,
} from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import { once } from "../../platform/cache/index.ts";
import type { RecordType, RecordTypes } from "../../records/types/index.ts";
import { definitionsOf } from "./definitions.ts";
import { returned } from "./fields.ts";
import { memberExample, schemaExample } from "./members.ts";
import { NOW } from "./moments.ts";

/** The schemas by name, and the types of the records that they describe. */
interface Described {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly types: RecordTypes;
}

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** Returns the name of the schema that a reference points to, or undefined if it is not a reference. */
export const referenced = (schema: Schema): string | undefined =>
  REFERENCE.exec(String(schema["$ref"] ?? ""))?.[1];

/** Returns the record types by schema name. The schemas for partners have fewer members. */
const recordsOf = once(
  (types: RecordTypes): ReadonlyMap<string, RecordType> =>
    new Map(
      Object.values(types).flatMap((type) => [
        [`${type.schemaName}Response`, type] as const,
        [`Partner${type.schemaName}Response`, type] as const,
      ]),
    ),
);

const typesOf = (schema: Schema): readonly unknown[] => [schema["type"]].flat();

/** Whether a value has the JSON type of a schema. A whole number is both an integer and a number. */
function isOfType(value: Json, schema: Schema): boolean {
  const types = typesOf(schema);
  if (types[0] === undefined) return true;
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number") {
    return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
  }
  return types.includes(typeof value);
}

const isAllowed = (value: Json | undefined, schema: Schema): value is Json => {
  const values = asList(schema["enum"]);
  return (
    value !== undefined &&
    isOfType(value, schema) &&
    (values.length === 0 || values.includes(value))
  );
};

/** Returns the example of a timestamp, recognized by its name or format. */
function momentExample(name: string, schema: Schema): Json | undefined {
  if (typesOf(schema).includes("null")) return undefined;
  if (name.endsWith("_ts")) return NOW.now_s;
  return name.endsWith("_date") || schema["format"] === "date-time" ? NOW.date : undefined;
}

/** Returns the example of a schema. `owner` is the schema or operation that contains it. */
export function exampleOf(described: Described, schema: Schema, owner: string, name = ""): Json {
  const { schemas, types } = described;
  const reference = referenced(schema);
  if (reference !== undefined) return exampleOf(described, schemas[reference] ?? {}, reference);
  const type = name === "" ? recordsOf(types).get(owner) : undefined;
  if (type !== undefined) return pickMembers(returned(type), schema);
  if (schema["const"] !== undefined) return schema["const"] as Json;
  const whole =
    name === ""
      ? (definitionsOf(types)[owner] ?? schemaExample(owner))
      : memberExample(owner, name);
  if (isAllowed(whole, schema)) return whole;
  const parts = asList(schema["allOf"]);
  if (parts.length > 0) {
    const members = parts.flatMap((part) =>
      Object.entries(asObject(exampleOf(described, asObject(part), owner))),
    );
    return Object.fromEntries(members);
  }
  const [first] = asList(schema["anyOf"]);
  if (first !== undefined) return exampleOf(described, asObject(first), owner, name);
  return ofType(described, schema, owner, name);
}

/** Returns an example based only on the type, for members that have no example. */
function ofType(described: Described, schema: Schema, owner: string, name: string): Json {
  const [type] = typesOf(schema);
  const [value] = asList(schema["enum"]);
  const moment = momentExample(name, schema);
  if (isAllowed(moment, schema)) return moment;
  if (typesOf(schema).includes("null")) return null;
  if (value !== undefined) return value;
  if (type === "object") {
    const properties = Object.entries(asObject(schema["properties"]));
    return Object.fromEntries(
      properties.map(([member, property]) => [
        member,
        exampleOf(described, asObject(property), owner, member),
      ]),
    );
  }
  if (type === "array") {
    const { items } = schema;
    return isObject(items) ? [exampleOf(described, items, owner, name)] : [];
  }
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return Number(schema["minimum"] ?? 0);
  return NO_EXAMPLE;
}

/** Marks a string that has no example. A test searches for it. */
export const NO_EXAMPLE = "string";

const pickMembers = (record: JsonObject, schema: Schema): JsonObject =>
  pick(record, Object.keys(asObject(schema["properties"])));
