/** Email addresses as stored and compared. */

import { EMAIL_FORM } from "../types/index.ts";

/**
 * Returns the `email_list` entry for an address as sent. A result of 1 means that the address looks deliverable; 2
 * means that it does not. Undeliverable addresses are stored, too.
 */
export const emailEntry = (text: string) => ({
  type: "Main",
  email: text,
  email_validation_dict: { result: looksDeliverable(text) ? 1 : 2 },
});

/**
 * Returns the form of an address used for comparison, which ignores case. It must equal the column's value, which is
 * computed by `lower()`, one letter at a time. toLowerCase() alone would consider the letters around a Σ and convert İ
 * to two characters.
 */
export const emailKey = (text: string): string =>
  text.replaceAll("Σ", "σ").replaceAll("İ", "i").toLowerCase();

/** Checks only the syntax. Makes no network requests. */
export const looksDeliverable = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  return at >= 1 && at <= 64 && text.length <= 254 && EMAIL_FORM.test(text);
};
