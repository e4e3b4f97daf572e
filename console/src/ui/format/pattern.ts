/** Texts as patterns of a `match_filter_dict`. */

/** The pattern that matches exactly this text. It is at most twice as long. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A condition that a field contains a text, ignoring case. */
export const containing = (text: string) => ({ $regex: escapePattern(text), $options: "i" });
