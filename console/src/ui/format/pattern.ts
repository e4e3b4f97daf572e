/** Converts strings to patterns of a `match_filter_dict`. */

/** Returns the pattern that matches exactly this string. It is at most twice as long. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Returns the condition that a field contains a string, ignoring case. */
export const containing = (text: string) => ({ $regex: escapePattern(text), $options: "i" });
