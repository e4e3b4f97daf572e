/** An exact amount. */

import type { Json } from "../../platform/json/index.ts";
import type { Fault } from "../../platform/validation/index.ts";
import { fieldKind, orUnreadable } from "./kind.ts";

export const MONEY_DIGITS_MAX = 15;
const MONEY_DECIMALS_MAX = 6;

export interface MoneyField {
  readonly kind: "money";
}

export const MONEY = { type: ["number", "null"], "x-rule": ["money", null] } as const;

/** Allows at most 15 significant digits and 6 decimals, so that sums stay exact. */
export function moneyFaults(value: Json): readonly Fault[] {
  if (typeof value !== "number") return [];
  const [mantissa = "", exponent = "0"] = Math.abs(value).toString().split("e");
  const [whole = "", decimals = ""] = mantissa.split(".");
  const digits = (whole + decimals).replace(/^0+/, "");
  if (Math.max(decimals.length - Number(exponent), 0) > MONEY_DECIMALS_MAX) {
    const msg = `Decimal input should have no more than ${MONEY_DECIMALS_MAX} decimal places`;
    return [{ type: "decimal_max_places", msg, ctx: { decimal_places: MONEY_DECIMALS_MAX } }];
  }
  const significant = Math.max(digits.replace(/0+$/, "").length, whole.length + Number(exponent));
  if (significant > MONEY_DIGITS_MAX) {
    const msg = `Decimal input should have no more than ${MONEY_DIGITS_MAX} digits in total`;
    return [{ type: "decimal_max_digits", msg, ctx: { max_digits: MONEY_DIGITS_MAX } }];
  }
  return [];
}

export const money = fieldKind<MoneyField>({
  names: ["money"],
  request: () => MONEY,
  rules: () => ({ money: moneyFaults }),
  docs: () =>
    `an exact amount with at most ${MONEY_DIGITS_MAX} significant digits and ${MONEY_DECIMALS_MAX} decimal places`,
  example: (_, { amount }) => amount,
  column: "number",
  summary: "sum",
  formats: () => ["numbers"],
  readsNothing: true,
  hasCurrency: true,
  parse: (_, text, reader) => orUnreadable(reader.number(text)),
});
