/** Combines lookups that are made at the same time into one request, instead of one per row. */

export type Found<V> = ReadonlyMap<string, V>;

/**
 * Returns a function that looks up the value for a key. `read` is called with at most `most` keys
 * at a time.
 */
export function inBatches<V>(
  read: (keys: readonly string[]) => Promise<Found<V>>,
  most: number,
): (key: string) => Promise<V | undefined> {
  interface Batch {
    readonly keys: Set<string>;
    readonly found: Promise<Found<V>>;
  }
  let open: Batch | undefined;
  const begin = (): Batch => {
    const keys = new Set<string>();
    const found = new Promise((resolve) => setTimeout(resolve)).then(() => {
      if (open?.keys === keys) open = undefined;
      return read([...keys]);
    });
    open = { keys, found };
    return open;
  };
  return async (key) => {
    const batch = open !== undefined && open.keys.size < most ? open : begin();
    batch.keys.add(key);
    return (await batch.found).get(key);
  };
}
