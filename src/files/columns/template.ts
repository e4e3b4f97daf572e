/**
 * Templates for values composed of several columns, such as `{account} – {product}`. If a part is empty, the literal
 * text next to it is also omitted.
 */

export interface Template {
  /** The literal strings before, between and after the parts: always one more than there are parts. */
  readonly literals: readonly string[];
  readonly parts: readonly string[];
}

export function parseTemplate(text: string): Template {
  const pieces = text.split(/\{([^{}]*)\}/);
  return {
    literals: pieces.filter((_, at) => at % 2 === 0),
    parts: pieces.filter((_, at) => at % 2 === 1).map((part) => part.trim()),
  };
}

/**
 * Returns the value for a row, or an empty string if all parts are empty. A template without parts gives the same value
 * for every row. Between two non-empty parts, only the literal immediately before the second one is used.
 */
export function renderTemplate(
  { literals, parts }: Template,
  textOf: (part: string) => string,
): string {
  if (parts.length === 0) return literals.join("");
  const filled = parts
    .map((part, at) => ({ at, text: textOf(part).trim() }))
    .filter(({ text }) => text !== "");
  const first = filled[0];
  const last = filled.at(-1);
  if (first === undefined || last === undefined) return "";
  const before = first.at === 0 ? (literals[0] ?? "") : "";
  const after = last.at === parts.length - 1 ? (literals.at(-1) ?? "") : "";
  const body = filled.map(({ at, text }, index) => (index === 0 ? text : `${literals[at]}${text}`));
  return `${before}${body.join("")}${after}`.trim();
}
