/**
 * Parses a filter's source text: JSON that may contain the MongoDB shell's `ObjectId('…')` as a value or in a string. A
 * scanner recognizes strings, and nothing is evaluated.
 */

import type { Json, JsonObject } from "../../../platform/json/index.ts";

export const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const OBJECT_ID = /ObjectId\s*\(\s*(?:'([0-9a-f]{24})'|"([0-9a-f]{24})")\s*\)/iy;
const WHOLE_OBJECT_ID = /^\s*ObjectId\s*\(\s*(?:'([0-9a-f]{24})'|"([0-9a-f]{24})")\s*\)\s*$/i;
// Matches `"ObjectId("…")"`. The inner quotes are not escaped, but the meaning is clear.
const QUOTED_OBJECT_ID = /"\s*ObjectId\s*\(\s*"([0-9a-f]{24})"\s*\)\s*"/iy;
const STRING = /"(?:[^"\\]|\\[^])*"?/y;

/** Parses JSON that may contain `ObjectId('…')` as a value, which becomes `{"$oid": "…"}`. Throws a SyntaxError. */
export function parseFilterText(text: string): Json {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const objectId = matchAt(OBJECT_ID, text, at) ?? matchAt(QUOTED_OBJECT_ID, text, at);
    const part = (objectId ?? matchAt(STRING, text, at))?.[0] ?? text.charAt(at);
    parts.push(objectId === null ? part : JSON.stringify({ $oid: hexOf(objectId) }));
    at += part.length;
  }
  return JSON.parse(parts.join("")) as Json;
}

/** Returns the id in `{"$oid": "…"}` or in the string `ObjectId('…')`, or undefined for other values. */
export function objectIdOf(value: Json): string | undefined {
  if (typeof value === "string") {
    const match = WHOLE_OBJECT_ID.exec(value);
    return match === null ? undefined : hexOf(match);
  }
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const hex = value["$oid"];
  return typeof hex === "string" && /^[0-9a-f]{24}$/i.test(hex) ? hex.toLowerCase() : undefined;
}

/** Whether a value is intended to be an id in one of these forms, even if it is malformed. */
export const looksLikeObjectId = (value: Json): boolean =>
  typeof value === "string" ? /^\s*ObjectId\s*\(/.test(value) : isObject(value) && "$oid" in value;

const hexOf = (match: RegExpExecArray): string =>
  (match.slice(1).find((hex) => hex !== undefined) ?? "").toLowerCase();

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
