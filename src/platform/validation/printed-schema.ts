/** A schema of ours → the JSON Schema that openapi.json shows. */

import type { Schema } from "./validation.ts";

/**
 * A schema as it is printed: without the keywords that only we know. An object of any members says so, because
 * code generators otherwise print an object without members.
 */
export function printed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(printed);
  if (typeof schema !== "object" || schema === null) return schema;
  const keywords = Object.entries(schema)
    .filter(([keyword]) => keyword !== "x-rule" && keyword !== "x-also")
    .map(([keyword, value]) => [keyword, printed(value)]);
  return {
    ...Object.fromEntries(keywords),
    ...(allowsAnyMembers(schema as Schema) && { additionalProperties: true }),
  };
}

const allowsAnyMembers = ({ type, properties, additionalProperties }: Schema): boolean =>
  [type].flat().includes("object") && (properties ?? additionalProperties) === undefined;
