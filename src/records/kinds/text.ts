/** Text of limited length. */

import { count, fieldKind } from "./kind.ts";

export interface TextField {
  readonly kind: "text";
  readonly max: number;
  readonly fallback?: string;
}

export const text = fieldKind<TextField>({
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
