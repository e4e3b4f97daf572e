/** Email addresses as stored and compared. */

import { EMAIL_FORM } from "../types/index.ts";

/**
 * Returns the `email_list` entry for an address as sent. The `result` is 1 if the address looks deliverable, and
 * otherwise 2. Undeliverable addresses are also stored.
 */
export const emailEntry = (text: string) => ({
  type: "Main",
  email: text,
  email_validation_dict: { result: looksDeliverable(text) ? 1 : 2 },
});

/**
 * Returns the form of an address used for comparison, which ignores case and surrounding spaces. It must equal the value
 * in the column, where PostgreSQL's `lower()` converts one letter at a time. toLowerCase() alone would take the letters
 * around a Σ into account and convert İ to two characters.
 */
export const emailKey = (text: string): string =>
  text.trim().replaceAll("Σ", "σ").replaceAll("İ", "i").toLowerCase();

/** Checks only the syntax of an address. Makes no network requests. */
export const looksDeliverable = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  return at >= 1 && at <= 64 && text.length <= 254 && EMAIL_FORM.test(text);
};
