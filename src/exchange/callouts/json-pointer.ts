/** Reads values from JSON documents by JSON Pointer (RFC 6901). */

import { isObject, type Json } from "../../platform/json/index.ts";

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

export const isPointer = (text: string): boolean => POINTER.test(text);

/** Returns the value at a pointer, or undefined if there is none. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) {
      value = /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
    } else if (isObject(value) && Object.hasOwn(value, name)) {
      value = value[name];
    } else {
      return undefined;
    }
  }
  return value;
}

/**
 * Whether a value means "yes". Depending on the system, "yes" is true, "true", 1, an id or a list of matches, and "no"
 * is false, "false", 0, "", null, an empty list or a missing value.
 */
export function meansYes(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "string") return !/^(?:|false|no|0)$/i.test(value.trim());
  return typeof value === "object" ? Object.keys(value).length > 0 : Boolean(value);
}
