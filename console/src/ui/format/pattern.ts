/** Texts as the patterns of a `match_filter_dict`. */

/** A text as the pattern that means it and nothing else: at most twice as long. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** The condition that a text is found in a field, in capitals or not. */
export const containing = (text: string) => ({ $regex: escapePattern(text), $options: "i" });
