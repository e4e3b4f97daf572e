/**
 * Moves objects that occur in several schemas, such as the entries of `email_list`, into separate named schemas. This
 * makes the description smaller, and generated clients get types for these objects.
 */

import { isObject, type Json, type JsonObject } from "../platform/json/index.ts";
import type { Document } from "./examples/index.ts";

/**
 * Names for the schemas of objects, by the name of the member that contains the object. Objects that are not listed
 * here are named after their member.
 */
const NAMES: Readonly<Record<string, string>> = {
  changed_fields: "ChangedField",
  email_list: "EmailEntry",
  email_validation_dict: "EmailValidation",
  fields: "ChangedField",
  invoice_line_list: "BillingLine",
  line_detail_dict: "LineDetail",
  order_line_list: "BillingLine",
  phone_list: "PhoneEntry",
  product_dict_list: "DealProduct",
  record: "RecordReference",
  records: "QuotaUsage",
  request: "CalloutRequest",
  secrets: "SigningSecret",
  social_dict_list: "SocialProfile",
};

interface Found {
  readonly base: string;
  readonly schema: JsonObject;
  readonly owners: string[];
}

/** Called for each object inside a schema. The result replaces the object. */
type Replace = (schema: JsonObject, member: string, owner: string) => JsonObject;

const KEYWORDS = ["items", "additionalProperties", "anyOf", "allOf", "oneOf"];

/** Replaces the innermost objects in a schema, which contain no other objects. */
function replaced(schema: Json, member: string, owner: string, replace: Replace): Json {
  if (Array.isArray(schema)) return schema.map((one) => replaced(one, member, owner, replace));
  if (!isObject(schema)) return schema;
  const { properties } = schema;
  if (member !== "" && isObject(properties) && !JSON.stringify(properties).includes(INNER)) {
    return replace(schema, member, owner);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (keyword === "properties" && isObject(value)) {
        return [keyword, mapMembers(value, (one, name) => replaced(one, name, owner, replace))];
      }
      return [
        keyword,
        KEYWORDS.includes(keyword) ? replaced(value, member, owner, replace) : value,
      ];
    }),
  );
}

const INNER = '"properties":{';

const mapMembers = (members: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value, name)]));

/** Returns an object schema without its description, because the description depends on where the object occurs. */
function withoutText(schema: JsonObject): JsonObject {
  const { description: _, ...rest } = schema;
  return rest;
}

const nameFor = (member: string): string =>
  NAMES[member] ??
  member.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase()).replace(/s$/, "");

const isSent = ({ owners }: Found): boolean => owners.every((owner) => owner.endsWith("Request"));

/** Chooses a name for each object that occurs more than once. */
function namesOf(
  found: ReadonlyMap<string, Found>,
  taken: JsonObject,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const given = new Set(Object.keys(taken));
  for (const [key, one] of found) {
    if (one.owners.length < 2) continue;
    const wanted = isSent(one) ? `${one.base}Request` : one.base;
    let name = wanted;
    for (let count = 2; given.has(name); count += 1) name = `${wanted}${count}`;
    given.add(name);
    names.set(key, name);
  }
  return names;
}

/** Moves the innermost objects that occur more than once. Returns undefined if there are none. */
function share(schemas: JsonObject): JsonObject | undefined {
  const found = new Map<string, Found>();
  const change = (replace: Replace): JsonObject =>
    mapMembers(schemas, (schema, owner) => replaced(schema, "", owner, replace));
  change((schema, member, owner) => {
    const key = JSON.stringify(withoutText(schema));
    const known = found.get(key) ?? { base: nameFor(member), schema, owners: [] };
    found.set(key, known);
    known.owners.push(owner);
    return schema;
  });
  const names = namesOf(found, schemas);
  if (names.size === 0) return undefined;
  const shared = [...names].map(([key, name]): [string, Json] => [
    name,
    { title: name, ...withoutText(found.get(key)?.schema ?? {}) },
  ]);
  const rest = change((schema) => {
    const name = names.get(JSON.stringify(withoutText(schema)));
    if (name === undefined) return schema;
    const { description } = schema;
    const $ref = `#/components/schemas/${name}`;
    return description === undefined ? { $ref } : { $ref, description };
  });
  return { ...rest, ...Object.fromEntries(shared) };
}

/** Returns the description with all repeated objects moved into separate schemas. */
export function withSharedSchemas(document: Document): Document {
  let schemas = document.components.schemas as unknown as JsonObject;
  for (let next = share(schemas); next !== undefined; next = share(schemas)) schemas = next;
  return {
    ...document,
    components: {
      ...document.components,
      schemas: schemas as unknown as Document["components"]["schemas"],
    },
  };
}
