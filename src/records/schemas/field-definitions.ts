/** Describes record types, their lists and their fields as data, for clients that build forms and tables from them. */

import { once } from "../../platform/cache/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import {
  type Derived,
  type Field,
  type Listing,
  type RecordType,
  SUBJECT_TYPES,
  subjectWord,
} from "../types/index.ts";
import { derivedKindOf } from "../derived/index.ts";
import { fieldKinds, kindOf } from "../kinds/index.ts";
import { sortColumns, uniqueFields } from "../columns/index.ts";
import { responseSchema } from "./schemas.ts";

/** How the value of a field is set, if not only by requests. */
export const ORIGINS = ["copy", "name", "condition", "computed", "operation", "system"] as const;

/** The kinds of fields whose definition does not contain their meaning. */
const BY_NAME: Readonly<Record<string, string>> = {
  _id: "id",
  id: "id",
  email: "email",
  phone: "phone",
  website: "url",
  action: "keyword",
  subject_type: "keyword",
  subject: "subject",
  userid: "user",
  created_by_userid: "user",
  partner_id: "partner",
  pushed_lead_id: "pushed_lead",
  created_ts: "datetime",
  timestamp: "datetime",
  updated_ts: "datetime",
  status_update_date: "datetime",
  version: "integer",
};

/** The kinds of fields in the API. They state what a value means, and not only how it is stored. */
export const FIELD_KINDS: readonly string[] = [
  ...new Set([...fieldKinds.flatMap(({ names }) => names), ...Object.values(BY_NAME)]),
];

/** The members that records of all types have. */
const COMMON = [
  "_id",
  "id",
  "userid",
  "user_name",
  "created_by_userid",
  "timestamp",
  "created_ts",
  "updated_ts",
  "status_update_date",
  "version",
];

const TEXTS: readonly string[] = ["text", "long_text"];

/** Returns the API's name for the kind of a field. Texts such as `website` are named after their meaning. */
function kindOfField(name: string, field: Field): string {
  const kind = kindOf(field).nameOf(field);
  return TEXTS.includes(kind) ? (BY_NAME[name] ?? kind) : kind;
}

function kindOfDerived({ fields }: RecordType, name: string, derived: Derived): string {
  const kind = derivedKindOf(derived).kindName(derived, (field) => {
    const original = fields[field];
    return original === undefined ? "text" : kindOfField(field, original);
  });
  return kind === "reference" ? (BY_NAME[name] ?? kind) : kind;
}

/** Returns the members that only some kinds of fields have. */
const detailsOf = (field: Field): JsonObject => ({
  ...kindOf(field).details(field),
  ...("fallback" in field && { default: field.fallback }),
});

/** Returns the relations of a field to other fields of its type. */
function relationsOf(type: RecordType, name: string): JsonObject {
  const { defaultsTo = {}, onlyWhile = {}, follows = {} } = type;
  const condition = onlyWhile[name];
  const sum = follows[name];
  return {
    ...(defaultsTo[name] !== undefined && { defaults_to: defaultsTo[name] }),
    ...(condition !== undefined && { only_while: { ...condition } }),
    ...(sum !== undefined && { sum_of: { ...sum } }),
  };
}

/** Returns the kind of a member, and the members that only some kinds have. */
function meaningOf(type: RecordType, name: string): JsonObject & { readonly kind: string } {
  const field = type.fields[name];
  const derived = type.derived[name];
  const origin = derived && {
    ...derivedKindOf(derived).details(derived),
    origin: derivedKindOf(derived).origin(derived),
  };
  if (field !== undefined) {
    return { kind: kindOfField(name, field), ...detailsOf(field), ...origin };
  }
  if (derived !== undefined) return { kind: kindOfDerived(type, name, derived), ...origin };
  return { kind: BY_NAME[name] ?? "text", origin: { rule: "system" } };
}

function fieldDefinition(type: RecordType, name: string): JsonObject {
  const field = type.fields[name];
  const { kind, ...details } = meaningOf(type, name);
  return {
    name,
    kind,
    description: String(responseSchema(type).properties[name]?.["description"] ?? ""),
    custom: false,
    writable: field !== undefined,
    required: field?.required === true,
    frozen: type.frozen?.includes(name) === true,
    unique: uniqueFields(type).includes(name),
    ...details,
    ...relationsOf(type, name),
  };
}

const listDefinition = (type: RecordType, [name, listing]: [string, Listing]): JsonObject => ({
  name,
  path: listing.path,
  timestamp: listing.on,
  window_hours: listing.windowHours ?? null,
  filterable: [...listing.filter],
  sortable: [...sortColumns(type, listing).keys()],
});

/** Returns the definition of a record type, in the format of `GET /crm/fields`. */
export const typeDefinition = once((type: RecordType): JsonObject => {
  const named = [...Object.keys(type.fields), ...Object.keys(type.derived)];
  const { properties } = responseSchema(type);
  const names = new Set([...named, ...COMMON.filter((name) => name in properties)]);
  const { subject } = type;
  const word = subjectWord(type.name);
  return {
    name: type.name,
    plural: type.table,
    description: type.description,
    icon: type.icon ?? null,
    id_name: type.idName,
    write_path: type.writePath,
    read_paths: [...type.readPaths],
    status_field: type.statusField,
    subject_fields: subject === undefined ? null : { type: subject.type, id: subject.id },
    subject_type: SUBJECT_TYPES.has(word) ? word : null,
    required_one_of: [...(type.oneOf ?? [])],
    main_fields: [...(type.mainFields ?? Object.keys(type.fields))],
    events: [...(type.events ?? [])],
    mergeable: type.sameBy !== undefined,
    deletable: type.isDeletable === true,
    lists: Object.entries(type.lists).map((list) => listDefinition(type, list)),
    fields: [...names].map((name) => fieldDefinition(type, name)),
  };
});
