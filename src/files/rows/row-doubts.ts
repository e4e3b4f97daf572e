/** Adds warnings about email addresses and phone numbers that cannot be valid. They are stored unchanged. */

import { looksDeliverable } from "../../records/contact-details/index.ts";
import type { Draft } from "./row-completion.ts";

/** A string with fewer digits than this is not a phone number in any country. */
const DIGITS_MIN = 3;

const looksDialable = (text: string): boolean => text.replace(/\D/g, "").length >= DIGITS_MIN;

const CHECKS = [
  { field: "email", kind: "doubtful_email", isFine: looksDeliverable },
  { field: "phone", kind: "doubtful_phone", isFine: looksDialable },
] as const;

/** Adds a warning for each address and number that cannot be valid. */
export function noteDoubts({ body, warnings }: Draft): void {
  for (const { field, kind, isFine } of CHECKS) {
    const entries = body[`${field}_list`] as
      | readonly Readonly<Record<string, unknown>>[]
      | undefined;
    const values = entries?.map((entry) => entry[field]) ?? [body[field]];
    for (const word of values) {
      if (typeof word === "string" && !isFine(word.trim())) warnings.push({ kind, field, word });
    }
  }
}
