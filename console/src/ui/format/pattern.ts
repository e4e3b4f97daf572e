/** Converts strings to patterns for `match_filter_dict`. */

/** Returns a pattern that matches exactly this string. The pattern is at most twice as long as the string. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Returns a condition that matches if a field contains a string, ignoring case. */
export const containing = (text: string) => ({ $regex: escapePattern(text), $options: "i" });
