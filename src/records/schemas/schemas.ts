/**
 * The JSON Schema of a record type. The same schema validates bodies and is published in openapi.json. Only `x-rule` is
 * not published: it names rules that JSON Schema cannot express.
 */

import { once } from "../../platform/cache/index.ts";
import { derivedKindOf } from "../derived/index.ts";
import { ENTRIES_MAX, kindOf, type Purpose } from "../kinds/index.ts";
import { entryLists } from "../body/index.ts";
import type { Field, RecordType } from "../types/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import {
  CREATED_TS,
  described,
  integer,
  nullable,
  objectSchema,
  type Schemas,
  string,
  UPDATED_TS,
} from "../../platform/schemas/index.ts";

/** The suffixes of schema names, by purpose. */
const REQUESTS = { create: "Request", patch: "UpdateRequest", put: "UpsertRequest" } as const;
export const requestName = ({ schemaName }: RecordType, purpose: Purpose): string =>
  schemaName + REQUESTS[purpose];

/** Returns the schema of a field in a request body. */
export function fieldSchema(field: Field, purpose: Purpose): Schema {
  const schema = kindOf(field).request(field, purpose);
  if (field.required) {
    const type = [schema["type"]].flat().filter((name) => name !== "null");
    return { ...schema, type: type.length === 1 ? type[0] : type };
  }
  return purpose === "create" && "fallback" in field && field.fallback !== undefined
    ? { ...schema, default: field.fallback }
    : schema;
}

export function fieldOf({ name: typeName, fields }: RecordType, name: string): Field {
  const field = fields[name];
  if (field === undefined) throw new Error(`A ${typeName} has no field ${name}`);
  return field;
}

/** Adds the description of a field, or the condition under which it can have a value. */
function describedField({ fields, onlyWhile }: RecordType, name: string, schema: Schema): Schema {
  const condition = onlyWhile?.[name];
  if (condition !== undefined) {
    const { field, is } = condition;
    return described(
      schema,
      `Only if \`${field}\` is \`${is}\`. Cleared when \`${field}\` changes.`,
    );
  }
  const description = fields[name]?.description;
  return description === undefined ? schema : described(schema, description);
}

/** Returns the schema of a type's request body. */
export function requestSchema(type: RecordType, purpose: Purpose) {
  const frozen = frozenNames(type, purpose);
  const names = Object.keys(type.fields).filter((name) => !frozen.includes(name));
  const properties: Schemas = Object.fromEntries(
    names.map((name) => [
      name,
      describedField(type, name, fieldSchema(fieldOf(type, name), purpose)),
    ]),
  );
  const required = names.filter((name) => purpose === "create" && type.fields[name]?.required);
  return {
    title: requestName(type, purpose),
    type: "object",
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    properties,
  };
}

/**
 * Returns the schema for checking bodies. In addition to the documented schema, it contains field aliases and read-only
 * members, which are ignored. With `changesOnly`, the lengths of entry lists are checked later, when they are compared
 * with the record's lists.
 */
export function checkedSchema(
  type: RecordType,
  purpose: Purpose,
  changesOnly = purpose !== "create",
): Schema {
  const request = requestSchema(type, purpose);
  const ignored = [...readOnlyNames(type), ...frozenNames(type, purpose)];
  // An empty string means "not given". A PATCH does not accept it for lists.
  const types = purpose === "patch" ? ["array", "null"] : ["array", "string", "null"];
  const lists = entryLists(type).map(([name]) => {
    const { maxItems = ENTRIES_MAX, ...list } = request.properties[name] as Schema;
    return [name, { ...list, type: types, ...(!changesOnly && { maxItems }) }];
  });
  const aliases = Object.entries(type.aliases).map(([alias, field]) => [
    alias,
    fieldSchema(fieldOf(type, field), purpose),
  ]);
  return {
    ...request,
    properties: {
      ...request.properties,
      ...Object.fromEntries(lists),
      ...Object.fromEntries(ignored.map((name) => [name, {}])),
      ...Object.fromEntries(aliases),
    },
    "x-rule": ["whole_record", { type, purpose }],
  };
}

const COMMON_NAMES = ["_id", "id", "userid", "user_name", "created_by_userid"];

/** The stamps: the timestamps and the version that the writing statement appends to a body. */
const STAMP_NAMES = [
  "created_ts",
  "timestamp",
  "updated_ts",
  "status_update_date",
  "created_date",
  "updated_date",
  "status_updated_date",
  "version",
];

/** Returns a stored body without its stamps. */
export const withoutStamps = (body: JsonObject): Record<string, Json> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !STAMP_NAMES.includes(name)));

/** Returns the members that responses contain but requests cannot set. */
export const readOnlyNames = once((type: RecordType): ReadonlySet<string> => {
  const names = [
    ...COMMON_NAMES,
    ...STAMP_NAMES.filter((name) => name !== "timestamp" || type.timestamp),
    ...Object.keys(type.derived),
  ];
  return new Set(names.filter((name) => !(name in type.fields) && !(name in type.aliases)));
});

/** Returns the fields that a body for this purpose can contain only if they are unchanged. */
export const frozenNames = (type: RecordType, purpose: Purpose): readonly string[] =>
  purpose === "patch" ? (type.frozen ?? []) : [];

/** Returns the name of the record type that a reference field refers to. */
function targetOf(type: RecordType, name: string): string {
  const field = fieldOf(type, name);
  return field.kind === "reference" ? field.to : "";
}

/** Returns the schema of a field in responses. Lists are never null, and enumerations have no alternative spellings. */
function returnedSchema(field: Field): Schema {
  const { default: _, "x-also": __, "x-print": ___, ...schema } = fieldSchema(field, "create");
  return kindOf(field).response(field, schema);
}

/** Returns the schema of a record in responses. All members are always present. */
export function responseSchema(type: RecordType) {
  const facts = {
    name: type.name,
    targetOf: (name: string) => targetOf(type, name),
    schemaOf: (name: string) => returnedSchema(fieldOf(type, name)),
  };
  const iso = { type: "string", format: "date-time" };
  const properties: Schemas = {
    _id: string("The id, 24 hexadecimal characters.", { pattern: "^[0-9a-f]{24}$" }),
    id: string("The id."),
    ...Object.fromEntries(
      Object.entries(type.fields).map(([name, field]) => [
        name,
        describedField(type, name, returnedSchema(field)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(type.derived).map(([name, derived]) => [
        name,
        derivedKindOf(derived).schema(derived, facts),
      ]),
    ),
    userid: string(type.fields["userid"]?.description ?? "The id of the user who owns the record."),
    user_name: nullable(
      string(
        "userid" in type.fields
          ? `The name of the user the ${type.name} is assigned to.`
          : "The name of the owner.",
      ),
    ),
    created_by_userid: string("The id of the user who created the record."),
    ...(type.timestamp && { timestamp: integer("Equal to `created_ts`.") }),
    created_ts: CREATED_TS,
    updated_ts: UPDATED_TS,
    status_update_date: integer("When the status or stage last changed, in epoch seconds."),
    created_date: iso,
    updated_date: iso,
    status_updated_date: described(iso, "`status_update_date` in ISO 8601, UTC."),
    version: integer("The record's version, starting at 1. Every change increases it by 1.", {
      minimum: 1,
    }),
  };
  return { title: `${type.schemaName}Response`, ...objectSchema(properties) };
}
