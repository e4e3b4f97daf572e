/**
 * Compares the details of two people: email addresses ignoring case, phone numbers by their digits.
 */

export type Compared = "email" | "phone" | "name" | "source";

export const COMPARED = ["name", "email", "phone", "source"] as const satisfies readonly Compared[];

/** Whether two values are equal; undefined if one of them is missing. */
export function areSame(
  field: Compared,
  one: string | null,
  other: string | null,
): boolean | undefined {
  if (!one || !other) return undefined;
  if (field === "phone") return digitsOf(one) === digitsOf(other);
  return plain(one) === plain(other);
}

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** Returns a number's last ten digits, which are the same with or without a country code. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, "").slice(-10);
