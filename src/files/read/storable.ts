/** Makes text from files storable. */

/** Replaces U+0000 and unpaired surrogates, which PostgreSQL can neither store as text nor parse in JSON. */
export const storable = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed();
