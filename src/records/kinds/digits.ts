/** A whole number. It can also be sent as a string of digits. */

import type { Json } from "../../platform/json/index.ts";
import type { Fault } from "../../platform/validation/index.ts";
import { fieldKind } from "./kind.ts";
import { parseWhole, wholeFormats } from "./whole.ts";

export interface DigitsField {
  readonly kind: "digits";
  readonly min: number;
  readonly max: number | "this year";
}

const NO_INTEGER: Fault = {
  type: "int_parsing",
  msg: "Input should be a valid integer, unable to parse string as an integer",
};

function digitsFaults(
  value: Json,
  { min, max }: { readonly min: number; readonly max: number },
): readonly Fault[] {
  if (typeof value === "string" && !/^\d{1,16}$/.test(value)) return [NO_INTEGER];
  if (typeof value !== "string" && typeof value !== "number") return [];
  const whole = Number(value);
  if (whole < min) {
    const msg = `Input should be greater than or equal to ${min}`;
    return [{ type: "greater_than_equal", msg, ctx: { ge: min } }];
  }
  if (whole > max) {
    const msg = `Input should be less than or equal to ${max}`;
    return [{ type: "less_than_equal", msg, ctx: { le: max } }];
  }
  return [];
}

export const digits = fieldKind<DigitsField>({
  names: ["integer", "year"],
  nameOf: ({ max }) => (max === "this year" ? "year" : "integer"),
  details: ({ min, max }) => (max === "this year" ? { min } : { min, max }),
  request: ({ min, max }) => ({
    type: ["integer", "string", "null"],
    "x-rule": ["digits", { min, max }],
    "x-print": {
      minimum: min,
      ...(typeof max === "number" && { maximum: max }),
      pattern: String.raw`^\d{1,16}$`,
    },
  }),
  response: () => ({ type: ["integer", "null"] }),
  rules: (clock) => ({
    digits: (value: Json, { min, max }: { min: number; max: number | "this year" }) =>
      digitsFaults(value, {
        min,
        max: max === "this year" ? new Date(clock.now_ms()).getUTCFullYear() : max,
      }),
  }),
  docs: ({ min, max }) =>
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}; a string of digits is also accepted`
      : `a whole number from ${min} to ${max}; a string of digits is also accepted`,
  example: ({ min }) => min,
  stored: (_, value) => Number(value),
  formats: wholeFormats,
  readsNothing: true,
  parse: parseWhole,
});
