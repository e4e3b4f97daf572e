/** Email addresses as they are stored and compared. */

import { EMAIL_FORM } from "../types/index.ts";

/**
 * Returns the entry in `email_list` for an address as it was sent: result 1 = looks deliverable, 2 = does
 * not. Undeliverable addresses are stored, too.
 */
export const emailEntry = (text: string) => ({
  type: "Main",
  email: text,
  email_validation_dict: { result: looksDeliverable(text) ? 1 : 2 },
});

/**
 * Returns the form of an address used for comparison, which ignores case. The column contains the same
 * value computed by `lower()`, which converts letter by letter. toLowerCase() alone would take the
 * letters around a Σ into account and turn İ into two letters.
 */
export const emailKey = (text: string): string =>
  text.replaceAll("Σ", "σ").replaceAll("İ", "i").toLowerCase();

/** Checks only the syntax. Nothing is looked up in the network. */
export const looksDeliverable = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  return at >= 1 && at <= 64 && text.length <= 254 && EMAIL_FORM.test(text);
};
