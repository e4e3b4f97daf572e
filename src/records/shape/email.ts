/** Email addresses as they are stored and compared. */

import { EMAIL_FORM } from "../types/index.ts";

/**
 * The entry of `email_list` of an address as it was sent: result 1 = looks deliverable, 2 = does not. An
 * address that cannot be delivered to is kept.
 */
export const emailEntry = (text: string) => ({
  type: "Main",
  email: text,
  email_validation_dict: { result: looksDeliverable(text) ? 1 : 2 },
});

/**
 * What two addresses are compared by: case does not count. The column holds the same by `lower()`,
 * which takes letter by letter; toLowerCase() looks at the word around a Σ and makes two letters of İ.
 */
export const emailKey = (text: string): string =>
  text.replaceAll("Σ", "σ").replaceAll("İ", "i").toLowerCase();

/** Nothing is asked of the network. */
const looksDeliverable = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  return at >= 1 && at <= 64 && text.length <= 254 && EMAIL_FORM.test(text);
};
