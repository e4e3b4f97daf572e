/** The first or last name, which is split from the full name unless it is sent. */

import type { Json } from "../../platform/json/index.ts";
import { nullable, string } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface NamePart {
  readonly kind: "name_part";
  readonly part: "first" | "last";
}

export const name_part = derivedKind<NamePart>({
  schema: ({ part }) => nullable(string(`The ${part} name.`)),
  docs: ({ part }) => `the ${part} name, split from \`name\` if you do not send it`,
  value: ({ part }, name, { values, stands }) =>
    stands.includes(name) ? (values[name] ?? null) : namePart(values["name"], part),
  column: () => "text",
  summary: "group",
});

/**
 * Returns the first or last name in a full name, which is split at its last run of spaces. A single word is a first
 * name.
 */
function namePart(name: Json | undefined, part: "first" | "last"): string | null {
  const words = /^(?<first>.*\S)\s+(?<last>\S+)$/su.exec(String(name ?? "").trim())?.groups;
  if (words === undefined) return part === "first" ? String(name ?? "").trim() || null : null;
  return words[part] ?? null;
}
