/** A number within limits, such as a probability. */

import { fieldKind, orUnreadable } from "./kind.ts";

export interface NumberField {
  readonly kind: "number";
  readonly min: number;
  readonly max: number;
}

export const number = fieldKind<NumberField>({
  names: ["number", "fraction"],
  nameOf: ({ max }) => (max === 1 ? "fraction" : "number"),
  details: ({ min, max }) => ({ min, max }),
  request: ({ min, max }) => ({ type: ["number", "null"], minimum: min, maximum: max }),
  docs: ({ min, max }) => `a number from ${min} to ${max}`,
  example: ({ min }) => min,
  column: "number",
  summary: "sum",
  formats: () => ["numbers", "shares"],
  readsNothing: true,
  parse: (_, text, reader) => orUnreadable(reader.share(text)),
});
