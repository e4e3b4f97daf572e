/** The placeholders of a body template, as the service reads them. */

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The placeholders of a template that there are none of, each once. */
export function unknownPlaceholders(template: string, names: readonly string[]): string[] {
  const found = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
  return [...new Set(found.filter((name) => !names.includes(name)))];
}

export interface Insertion {
  readonly text: string;
  /** Where the cursor stands then. */
  readonly cursor: number;
}

/** A template with a placeholder in the place of what is selected from `start` to `end`. */
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
