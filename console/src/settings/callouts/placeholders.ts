/** Finds the placeholders in a body template, by the same rules as the service. */

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Returns a template's unknown placeholders, without duplicates. */
export function unknownPlaceholders(template: string, names: readonly string[]): string[] {
  const found = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
  return [...new Set(found.filter((name) => !names.includes(name)))];
}

export interface Insertion {
  readonly text: string;
  /** The cursor position after the insertion. */
  readonly cursor: number;
}

/** Inserts a placeholder into a template, replacing the selection from `start` to `end`. */
export function insertPlaceholder(
  template: string,
  name: string,
  [start, end]: readonly [number, number],
): Insertion {
  const placed = `{{${name}}}`;
  return {
    text: template.slice(0, start) + placed + template.slice(end),
    cursor: start + placed.length,
  };
}
