/** A whole number with a default. */

import { type CellFormat, type CellReader, fieldKind, type Parsed, UNREADABLE } from "./kind.ts";

export interface WholeField {
  readonly kind: "whole";
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

interface Limits {
  readonly min: number;
  readonly max: number | "this year";
}

/**
 * If a field's maximum is at most this, as for years, months and priorities, its values never have a thousands
 * separator.
 */
const SHORT_MAX = 9999;

export const wholeFormats = ({ max }: Limits): readonly CellFormat[] =>
  max === "this year" || max <= SHORT_MAX ? [] : ["numbers"];

/** Reads a whole number, or a word that stands for one. */
export function parseWhole({ min, max }: Limits, text: string, reader: CellReader): Parsed {
  const value = reader.number(text) ?? Number(reader.word(text));
  const most = max === "this year" ? Number.MAX_SAFE_INTEGER : max;
  return Number.isInteger(value) && value >= min && value <= most ? { value } : UNREADABLE;
}

export const whole = fieldKind<WholeField>({
  names: ["integer"],
  details: ({ min, max }) => ({ min, max }),
  request: ({ min, max }) => ({ type: ["integer", "null"], minimum: min, maximum: max }),
  response: () => ({ type: "integer" }),
  docs: ({ min, max }) => `a whole number from ${min} to ${max}`,
  example: ({ fallback }) => fallback,
  column: "number",
  summary: "group",
  formats: wholeFormats,
  readsNothing: true,
  parse: parseWhole,
});
