/** Tables of texts and other constants that are looked up by names from data. */

const isTable = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns a copy of an object, and of the objects within it, without prototypes. A name from data, such as `constructor`,
 * is then found only if the object itself defines it.
 */
export function lookupTable<T extends object>(of: T): T {
  const table = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(of) as [string, unknown][]) {
    table[name] = isTable(value) ? lookupTable(value) : value;
  }
  return table as T;
}
