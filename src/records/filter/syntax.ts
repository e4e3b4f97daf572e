/**
 * The text of a filter → its value: JSON, in which the shell's `ObjectId('…')` may stand bare or
 * inside a string. It is read by a scanner that knows where strings begin and end, and never
 * evaluated.
 */

import { isObject, type Json } from "../../platform/json/index.ts";

const OBJECT_ID = /ObjectId\s*\(\s*(?:'([0-9a-f]{24})'|"([0-9a-f]{24})")\s*\)/iy;
const WHOLE_OBJECT_ID = /^\s*ObjectId\s*\(\s*(?:'([0-9a-f]{24})'|"([0-9a-f]{24})")\s*\)\s*$/i;
// `"ObjectId("…")"`: the quotes inside are not escaped, yet it can mean nothing else.
const QUOTED_OBJECT_ID = /"\s*ObjectId\s*\(\s*"([0-9a-f]{24})"\s*\)\s*"/iy;
const STRING = /"(?:[^"\\]|\\[^])*"?/y;

/**
 * Reads JSON in which `ObjectId('…')` may stand where a value may, as `{"$oid": "…"}`. Throws a
 * SyntaxError.
 */
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

/** The id that a value spells: `{"$oid": "…"}` or a string `ObjectId('…')`; undefined if neither. */
export function objectIdOf(value: Json): string | undefined {
  if (typeof value === "string") {
    const match = WHOLE_OBJECT_ID.exec(value);
    return match === null ? undefined : hexOf(match);
  }
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const hex = value["$oid"];
  return typeof hex === "string" && /^[0-9a-f]{24}$/i.test(hex) ? hex.toLowerCase() : undefined;
}

/** Whether a value is meant as an id in one of these spellings, rightly written or not. */
export const looksLikeObjectId = (value: Json): boolean =>
  typeof value === "string" ? /^\s*ObjectId\b/.test(value) : isObject(value) && "$oid" in value;

const hexOf = (match: RegExpExecArray): string =>
  (match.slice(1).find((hex) => hex !== undefined) ?? "").toLowerCase();

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
