/** Finds JSON values that are valid but that PostgreSQL cannot store. */

import type { Issue } from "../errors/index.ts";
import { DEPTH_MAX } from "./json-limits.ts";

const NO_UNICODE = "Input should be a valid string, unable to parse raw data as a unicode string";
const NOT_FINITE = "Input should be a finite number";

/**
 * Returns issues for up to `max` values that PostgreSQL's json type cannot store: invalid strings, non-finite
 * numbers, and objects or lists that are nested too deeply.
 */
export function unstorableIssues(
  value: unknown,
  max: number,
  place: (string | number)[] = ["body"],
  found: Issue[] = [],
): readonly Issue[] {
  if (typeof value === "string") {
    if (!value.isWellFormed() || value.includes("\0"))
      found.push(issueAt(place, "string_unicode", NO_UNICODE));
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) found.push(issueAt(place, "finite_number", NOT_FINITE));
  } else if (typeof value === "object" && value !== null) {
    if (place.length > DEPTH_MAX) found.push(depthIssue(place));
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

const issueAt = (loc: Issue["loc"], type: Issue["type"], msg: string): Issue => ({
  type,
  loc: [...loc],
  msg,
  input: null,
});

export const depthIssue = (loc: Issue["loc"]): Issue =>
  issueAt(loc, "value_error", `Value error, JSON may be nested at most ${DEPTH_MAX} levels deep`);
