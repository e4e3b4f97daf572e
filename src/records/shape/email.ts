/** E-mail addresses as they are stored and compared. */

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

// RFC 5321's limits, an unquoted local part (with the letters of RFC 6531), and a domain of at
// least two labels. Nothing is asked of the network.
const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
const TOP_LABEL = /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

function looksDeliverable(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64 || text.length > 254) return false;
  const labels = text.slice(at + 1).split(".");
  return (
    LOCAL_PART.test(text.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LABEL.test(labels.at(-1) ?? "")
  );
}
