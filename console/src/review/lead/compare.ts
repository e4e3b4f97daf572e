/** Whether two values say the same of a person: addresses in any case, numbers by their digits. */

export type Compared = "email" | "phone" | "name" | "source";

export const COMPARED = ["name", "email", "phone", "source"] as const satisfies readonly Compared[];

/** Whether they are the same; undefined where one of them is missing. */
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

/** The last ten: with or without a country code it is the same number. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, "").slice(-10);
