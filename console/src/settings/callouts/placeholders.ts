/** The placeholders of a body template, parsed like in the service. */

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The unknown placeholders of a template, each once. */
export function unknownPlaceholders(template: string, names: readonly string[]): string[] {
  const found = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
  return [...new Set(found.filter((name) => !names.includes(name)))];
}

export interface Insertion {
  readonly text: string;
  /** The cursor position afterward. */
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
