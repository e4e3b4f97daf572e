/** Text of limited length. */

import { count, fieldKind } from "./kind.ts";

/** Texts that can be longer than this are notes. */
export const SHORT_TEXT_MAX = 2048;

export interface TextField {
  readonly kind: "text";
  readonly max: number;
  readonly fallback?: string;
}

export const text = fieldKind<TextField>({
  names: ["text", "long_text"],
  nameOf: ({ max }) => (max > SHORT_TEXT_MAX ? "long_text" : "text"),
  details: ({ max }) => ({ max_length: max }),
  request: ({ max }) => ({ type: ["string", "null"], maxLength: max }),
  response: ({ fallback }, schema) => (fallback === undefined ? schema : { type: "string" }),
  docs: ({ max }) => `text, at most ${count(max)} characters`,
  example: (_, values) => values.text,
  column: "text",
  summary: "group",
  parse: (_, exact, reader) => ({
    value: reader.isExact ? exact : (reader.word(exact) ?? exact),
  }),
});
