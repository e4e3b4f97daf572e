/** Converts our schemas to the JSON Schema in openapi.json. */

import type { Schema } from "./validation.ts";

/**
 * Removes our own keywords and adds those in `x-print`, which express a rule in JSON Schema as far as possible. Objects
 * with arbitrary members get `additionalProperties: true`, because code generators would otherwise generate an object
 * without members.
 */
export function printed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(printed);
  if (typeof schema !== "object" || schema === null) return schema;
  const { "x-print": limits = {}, ...checked } = schema as Schema;
  const keywords = Object.entries(checked)
    .filter(([keyword]) => keyword !== "x-rule" && keyword !== "x-also")
    .map(([keyword, value]) => [keyword, printed(value)]);
  return {
    ...Object.fromEntries(keywords),
    ...(limits as Schema),
    ...(allowsAnyMembers(checked) && { additionalProperties: true }),
  };
}

const allowsAnyMembers = ({ type, properties, additionalProperties }: Schema): boolean =>
  [type].flat().includes("object") && (properties ?? additionalProperties) === undefined;
