/**
 * Whether each word in a search is the beginning of a word in a name. For example, "ines" does not
 * match "Business".
 */
export function beginsWords(name: string, text: string): boolean {
  const padded = ` ${name.toLowerCase()}`;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => padded.includes(` ${word}`));
}
