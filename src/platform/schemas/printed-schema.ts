/** Converts our schemas to the JSON Schema in openapi.json. */

import { described, type Schemas } from "./typed.ts";
import type { Schema } from "../validation/index.ts";
import { isObject } from "../json/index.ts";

/** Replaces a `$ref` that has other keywords next to it, because @fastify/swagger would remove those. */
export const REF = "x-ref";

/**
 * Removes our own keywords and adds those in `x-print`, which express a rule in JSON Schema as far as possible. Objects
 * with arbitrary members get `additionalProperties: true`, because code generators would otherwise generate an object
 * without members. Each `<name>_date` next to a `<name>_ts` is described.
 */
export function printed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(printed);
  if (!isObject(schema)) return schema;
  if ("$ref" in schema && Object.keys(schema).length > 1) {
    const { $ref, ...others } = schema;
    return { [REF]: `#/components/schemas/${String($ref).slice(0, -1)}`, ...others };
  }
  const keywords = Object.entries(withDateTexts(schema)).flatMap(([keyword, value]) => {
    if (keyword === "x-print") return isObject(value) ? Object.entries(value) : [];
    return keyword === "x-rule" || keyword === "x-also" ? [] : [[keyword, printed(value)]];
  });
  return {
    ...Object.fromEntries(keywords),
    ...(allowsAnyMembers(schema) && { additionalProperties: true }),
  };
}

const allowsAnyMembers = ({ type, properties, additionalProperties }: Schema): boolean =>
  [type].flat().includes("object") && (properties ?? additionalProperties) === undefined;

function withDateTexts(schema: Schema): Schema {
  const { properties } = schema;
  if (typeof properties !== "object") return schema;
  const members = properties as Schemas;
  const texts = Object.entries(members).flatMap(([name, member]) => {
    const moment = name.replace(/_date$/, "_ts");
    const isDate = moment !== name && moment in members && "type" in member;
    if (!isDate || member["description"] !== undefined) return [];
    return [[name, described(member, `\`${moment}\` in ISO 8601, UTC.`)]];
  });
  return { ...schema, properties: { ...members, ...Object.fromEntries(texts) } };
}
