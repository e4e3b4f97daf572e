/** The rule that limits the length of strings in unknown members, because these members are stored. */

import type { Issue } from "../../platform/errors/index.ts";
import { DEPTH_MAX, type Json } from "../../platform/json/index.ts";
import type { Fault } from "../../platform/validation/index.ts";

export function shortTextFaults(
  value: Json,
  max: number,
  within: Issue["loc"] = [],
): readonly Fault[] {
  if (typeof value === "string") {
    if ([...value].length <= max) return [];
    const msg = `String should have at most ${max} characters`;
    return [{ type: "string_too_long", msg, ctx: { max_length: max }, within }];
  }
  // Deeper nesting is rejected elsewhere.
  if (typeof value !== "object" || value === null || within.length > DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    shortTextFaults(member, max, [...within, Array.isArray(value) ? Number(name) : name]),
  );
}
