/** Numbers as users type them. */

/** The number of digits that JavaScript stores exactly. */
const DIGITS_MAX = 15;

/** Returns the number that an input contains. Anything else is returned unchanged, so that the service can report it. */
export function typedNumber(typed: number | string): number | string {
  if (typeof typed === "number" || !/^-?(?=\.?\d)\d*\.?\d*$/.test(typed)) return typed;
  return typed.replaceAll(/\D/g, "").length <= DIGITS_MAX ? Number(typed) : typed;
}
