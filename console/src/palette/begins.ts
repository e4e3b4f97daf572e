/** Whether each word of a text begins a word of a name: "ines" does not find "Business". */
export function beginsWords(name: string, text: string): boolean {
  const said = ` ${name.toLowerCase()}`;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => said.includes(` ${word}`));
}
