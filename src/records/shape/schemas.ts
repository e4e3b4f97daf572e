/**
 * The JSON Schema of a record type. The same schema validates bodies and is published in openapi.json. Only `x-rule` is
 * not published: it names rules that JSON Schema cannot express.
 */

import { once } from "../../platform/clock/index.ts";
import { ENTRIES_MAX, entryLists } from "./entry-lists.ts";
import { RETURNED_LISTS } from "./entry-schemas.ts";
import { fieldOf, fieldSchema, type Purpose } from "./field-schemas.ts";
import type { Derived, Field, RecordType } from "../types/index.ts";
import { SSN_MASK } from "./ssn.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { objectSchema, type Schema, type Schemas } from "../../platform/validation/index.ts";

/** The suffixes of schema names, by purpose. A put creates or updates a record. */
const REQUESTS = { create: "Request", patch: "UpdateRequest", put: "UpsertRequest" } as const;
export const requestName = ({ schemaName }: RecordType, purpose: Purpose): string =>
  schemaName + REQUESTS[purpose];

/** If a field can have a value only while another field has a certain value, adds a note to its schema. */
const conditional = ({ onlyWhile }: RecordType, name: string, schema: Schema): Schema => {
  const condition = onlyWhile?.[name];
  if (condition === undefined) return schema;
  const { field, is } = condition;
  return {
    ...schema,
    description: `Only if \`${field}\` is \`${is}\`. Cleared when \`${field}\` changes.`,
  };
};

/** Returns the schema of a type's request body. */
export function requestSchema(type: RecordType, purpose: Purpose) {
  const frozen = frozenNames(type, purpose);
  const names = Object.keys(type.fields).filter((name) => !frozen.includes(name));
  const properties: Schemas = Object.fromEntries(
    names.map((name) => [name, conditional(type, name, fieldSchema(fieldOf(type, name), purpose))]),
  );
  const required = names.filter((name) => purpose === "create" && type.fields[name]?.required);
  return {
    title: requestName(type, purpose),
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
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
    "x-rule": ["whole_record", { type: type.name, purpose }],
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

function derivedSchema(type: RecordType, derived: Derived): Schema {
  switch (derived.kind) {
    case "email_list":
    case "phone_list":
      return RETURNED_LISTS[derived.kind];
    case "copy":
      return returnedSchema(fieldOf(type, derived.of));
    case "name_part":
    case "name_of":
      return { type: ["string", "null"] };
    case "product":
    case "moment":
      return { type: ["number", "null"] };
    case "mirror":
      return { type: "boolean" };
    case "sequence":
      return { type: "string" };
    case "set_elsewhere":
      if (derived.type === "flag") return { type: "boolean" };
      return { type: [derived.type === "id" ? "string" : "object", "null"] };
  }
}

/** Returns the schema of a field in responses. Lists are never null, and enumerations have no alternative spellings. */
function returnedSchema(field: Field): Schema {
  const { default: _, "x-also": __, "x-print": ___, ...schema } = fieldSchema(field, "create");
  switch (field.kind) {
    case "choice":
      return { type: "string", enum: [...field.of] };
    case "tags":
    case "lines":
    case "socials":
      return { ...schema, type: "array" };
    case "digits":
      return { type: ["integer", "null"] };
    case "whole":
      return { type: "integer" };
    case "ssn":
      return { ...schema, description: "Masked.", examples: [`${SSN_MASK}6789`] };
    case "reference":
      return { ...schema, description: `The id of the ${field.to}.` };
    default:
      return field.kind === "text" && field.fallback !== undefined ? { type: "string" } : schema;
  }
}

/** Returns the schema of a record in responses. All members are always present. */
export function responseSchema(type: RecordType) {
  const stamp = { type: "integer" };
  const iso = { type: "string", format: "date-time" };
  const properties: Schemas = {
    _id: { type: "string", pattern: "^[0-9a-f]{24}$" },
    id: { type: "string" },
    ...Object.fromEntries(
      Object.entries(type.fields).map(([name, field]) => [
        name,
        conditional(type, name, returnedSchema(field)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(type.derived).map(([name, derived]) => [name, derivedSchema(type, derived)]),
    ),
    userid: { type: "string" },
    user_name: { type: ["string", "null"] },
    created_by_userid: { type: "string" },
    ...(type.timestamp && { timestamp: stamp }),
    created_ts: stamp,
    updated_ts: stamp,
    status_update_date: stamp,
    created_date: iso,
    updated_date: iso,
    status_updated_date: iso,
    version: { type: "integer", minimum: 1 },
  };
  return { title: `${type.schemaName}Response`, ...objectSchema(properties) };
}
