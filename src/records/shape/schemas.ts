/**
 * Record type → JSON Schema: what a body is checked against and what openapi.json prints. The two are
 * one schema; only `x-rule` (what JSON Schema cannot say) is left out in print.
 */

import { once } from "../../platform/clock/index.ts";
import { ENTRIES_MAX, entryLists } from "./entry-lists.ts";
import { entrySchema, RETURNED_LISTS } from "./entry-schemas.ts";
import type { Derived, Field, Member, RecordType } from "../types/index.ts";
import { SSN_MASK } from "./ssn.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { objectSchema, type Schema, type Schemas } from "../../platform/validation/index.ts";

export const LIST_MAX = 1000;
const LINE_TEXT_MAX = 1000;
const TEXT_MAX = 500;
export const TAGS_MAX = 10;
const TAG_MAX = 100;
/** What bodies are for, as the interface names them: a put creates or changes, as there is need. */
const REQUESTS = { create: "Request", patch: "UpdateRequest", put: "UpsertRequest" } as const;
export type Purpose = keyof typeof REQUESTS;
export const requestName = ({ schemaName }: RecordType, purpose: Purpose): string =>
  schemaName + REQUESTS[purpose];

/** What a member of a line takes; none is required and null counts as absent. */
const MEMBER: Readonly<Record<Member["kind"], Schema>> = {
  text: { type: ["string", "null"], maxLength: LINE_TEXT_MAX },
  money: { type: ["number", "null"], "x-rule": ["money", null] },
  line_detail: {
    type: ["object", "null"],
    properties: {
      qty: { type: ["number", "null"], "x-rule": ["money", null] },
      unit_price: { type: ["number", "null"], "x-rule": ["money", null] },
    },
    "x-rule": ["short_texts", LINE_TEXT_MAX],
  },
};

/** The schema of a field that may be null; fieldSchema takes the null away where it is required. */
const NULLABLE: {
  readonly [K in Field["kind"]]: (field: Extract<Field, { kind: K }>, purpose: Purpose) => Schema;
} = {
  text: ({ max }) => ({ type: ["string", "null"], maxLength: max }),
  choice: ({ of, spellings = {} }) => ({
    type: ["string", "null"],
    enum: [...of, null, ...Object.keys(spellings)],
    "x-also": Object.keys(spellings),
  }),
  tags: () => ({
    type: ["array", "null"],
    maxItems: TAGS_MAX,
    items: { type: "string", maxLength: TAG_MAX },
  }),
  number: ({ min, max }) => ({ type: ["number", "null"], minimum: min, maximum: max }),
  whole: ({ min, max }) => ({ type: ["integer", "null"], minimum: min, maximum: max }),
  money: () => ({ type: ["number", "null"], "x-rule": ["money", null] }),
  digits: ({ min, max }) => ({
    type: ["integer", "string", "null"],
    description: `A whole number of at least ${min}; digits in a string count as the number.`,
    "x-rule": ["digits", { min, max }],
  }),
  epoch: () => ({
    type: ["number", "null"],
    description: "Epoch seconds.",
    "x-rule": ["epoch", null],
  }),
  ssn: (_, purpose) => ({
    type: ["string", "null"],
    description: "XXX-XX-XXXX or nine digits. Stored encrypted and returned masked.",
    examples: [`${SSN_MASK}6789`],
    "x-rule": ["ssn", purpose],
  }),
  flag: () => ({ type: ["boolean", "null"] }),
  reference: ({ to }) => ({
    type: ["string", "null"],
    maxLength: 100,
    description: `The _id of an existing ${to}.`,
  }),
  lines: ({ members }) => ({
    type: ["array", "null"],
    maxItems: LIST_MAX,
    items: {
      type: "object",
      properties: Object.fromEntries(members.map(({ name, kind }) => [name, MEMBER[kind]])),
      "x-rule": ["short_texts", LINE_TEXT_MAX],
    },
  }),
  socials: () => ({
    type: ["array", "null"],
    maxItems: LIST_MAX,
    items: {
      type: "object",
      properties: {
        type: { type: "string", maxLength: TEXT_MAX },
        platform: { type: "string", maxLength: TEXT_MAX },
        url: { type: "string", maxLength: 2048 },
      },
      required: ["url"],
      "x-rule": ["social", TEXT_MAX],
    },
  }),
  entries: ({ of }, purpose) => ({
    type: ["array", "null"],
    // A record that others were merged into may have more, and its list may be sent back.
    ...(purpose === "create" && { maxItems: ENTRIES_MAX }),
    description:
      `Several ${of === "email" ? "addresses" : "numbers"}, each an object or a text. The entry of type Main is ` +
      `\`${of}\`; at most ${ENTRIES_MAX} entries, unless the list is equal to the stored one.`,
    items: entrySchema(of),
    "x-rule": ["entry_list", of],
  }),
  free: () => ({ type: ["object", "string", "null"], "x-rule": ["short_texts", 10_000] }),
};

function fieldSchema(field: Field, purpose: Purpose): Schema {
  const schema = (NULLABLE[field.kind] as (field: Field, purpose: Purpose) => Schema)(
    field,
    purpose,
  );
  if (field.required) {
    const type = [schema["type"]].flat().filter((name) => name !== "null");
    return { ...schema, type: type.length === 1 ? type[0] : type };
  }
  return purpose === "create" && "fallback" in field && field.fallback !== undefined
    ? { ...schema, default: field.fallback }
    : schema;
}

/** The schema of a field that has a value only while another one has one: says so. */
const conditional = ({ onlyWhile }: RecordType, name: string, schema: Schema): Schema => {
  const condition = onlyWhile?.[name];
  if (condition === undefined) return schema;
  const { field, is } = condition;
  return {
    ...schema,
    description: `Only while \`${field}\` is \`${is}\`; cleared when \`${field}\` changes.`,
  };
};

function fieldOf({ name: typeName, fields }: RecordType, name: string): Field {
  const field = fields[name];
  if (field === undefined) throw new Error(`A ${typeName} has no field ${name}`);
  return field;
}

/** What POST or PATCH of this type takes. */
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
 * The schema that a body is really checked against: the request's, other names for its fields, and
 * the names that a record returns and nobody sends, which are ignored. `changesOnly`: the length of
 * lists of entries is checked when they are compared with those of the record.
 */
export function checkedSchema(
  type: RecordType,
  purpose: Purpose,
  changesOnly = purpose === "patch",
): Schema {
  const request = requestSchema(type, purpose);
  const ignored = [...readOnlyNames(type), ...frozenNames(type, purpose)];
  // An empty text means "not given", unless a list is changed by its own operation.
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

/** What the statement that writes puts behind a body. */
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

/** A stored body as it was before it was stamped. */
export const withoutStamps = (body: JsonObject): Record<string, Json> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !STAMP_NAMES.includes(name)));

/** What a record of this type returns and no body sets. */
export const readOnlyNames = once((type: RecordType): ReadonlySet<string> => {
  const names = [
    ...COMMON_NAMES,
    ...STAMP_NAMES.filter((name) => name !== "timestamp" || type.timestamp),
    ...Object.keys(type.derived),
  ];
  return new Set(names.filter((name) => !(name in type.fields) && !(name in type.aliases)));
});

/** Fields that a body for this purpose may only repeat. */
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

/** What a field looks like in an answer: lists are never null, enumerations without other spellings. */
function returnedSchema(field: Field): Schema {
  const { default: _, "x-also": __, ...schema } = fieldSchema(field, "create");
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
    default:
      return field.kind === "text" && field.fallback !== undefined ? { type: "string" } : schema;
  }
}

/** What a record of this type is returned as. Every member is always there. */
export function responseSchema(type: RecordType) {
  const stamp = { type: "integer", description: "Epoch seconds." };
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
