/** An object or a string, stored as sent. */

import { isObject, type Json } from "../../platform/json/index.ts";
import { fieldKind, jsonOf } from "./kind.ts";

const FREE_TEXT_MAX = 10_000;

export interface FreeField {
  readonly kind: "free";
}

export const free = fieldKind<FreeField>({
  names: ["object"],
  request: () => ({
    type: ["object", "string", "null"],
    additionalProperties: true,
    "x-rule": ["short_texts", FREE_TEXT_MAX],
  }),
  docs: () => "an object or a string, stored unchanged",
  example: (_, { text }) => text,
  holds: "object",
  // The cell may contain an object or a string as JSON.
  parse: (_, text, reader) => {
    if (reader.isExact && reader.isTyped) return { value: text };
    const value = jsonOf(text) as Json | undefined;
    return { value: isObject(value) || typeof value === "string" ? value : text };
  },
});
