/** What is valid JSON and cannot be stored as it is. */

import type { Issue } from "../errors/index.ts";
import { DEPTH_MAX } from "./json-limits.ts";

/**
 * Text that PostgreSQL's json cannot hold, numbers that no double holds, and nesting beyond the limit;
 * the first `max` of them. One place is walked with, and copied when something is found.
 */
export function unstorableIssues(
  value: unknown,
  max: number,
  place: (string | number)[] = ["body"],
  found: Issue[] = [],
): readonly Issue[] {
  if (typeof value === "string") {
    if (!value.isWellFormed() || value.includes("\0")) found.push(unicodeIssue([...place]));
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) found.push(infinityIssue([...place]));
  } else if (typeof value === "object" && value !== null) {
    if (place.length > DEPTH_MAX) found.push(depthIssue([...place]));
    else {
      const keys = Array.isArray(value) ? undefined : Object.keys(value);
      const length = keys?.length ?? (value as readonly unknown[]).length;
      for (let at = 0; at < length && found.length < max; at += 1) {
        const key = keys?.[at] ?? at;
        if (keys !== undefined) unstorableIssues(key, max, place, found);
        place.push(key);
        unstorableIssues((value as Readonly<Record<string, unknown>>)[key], max, place, found);
        place.pop();
      }
    }
  }
  return found;
}

export const depthIssue = (loc: Issue["loc"]): Issue => ({
  type: "value_error",
  loc,
  msg: `Value error, JSON may be nested at most ${DEPTH_MAX} levels deep`,
  input: null,
});

const infinityIssue = (loc: Issue["loc"]): Issue => ({
  type: "finite_number",
  loc,
  msg: "Input should be a finite number",
  input: null,
});

const unicodeIssue = (loc: Issue["loc"]): Issue => ({
  type: "string_unicode",
  loc,
  msg: "Input should be a valid string, unable to parse raw data as a unicode string",
  input: null,
});
