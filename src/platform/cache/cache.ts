/** Caches for values computed from strings or objects, and for the results of recent reads. */

import type { Clock } from "../clock/index.ts";
import { isRefusedAtGate } from "../errors/index.ts";

/** Maximum length of a key. Results for longer keys are not cached. */
const KEY_MAX = 2000;

/** Caches the results of `make` for up to `most` keys. The cache is emptied when it is full. */
export function remember<T>(most: number): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make();
    if (key.length > KEY_MAX) return made;
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
}

/** Computes a value once for each object, such as a record type. */
export function once<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly made: T }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.made;
    const made = make(key);
    known.set(key, { made });
    return made;
  };
}

/** A cache of recent reads, with a maximum age and a maximum size. */
export type Memory<T> = ReturnType<typeof createMemory<T>>;

/** How long a request waits for reads that other requests started. Each of these reads may take 5 s. */
const SHARING_MAX_ms = 4_000;

export function createMemory<T>(
  clock: Clock,
  { for_ms, most }: { readonly for_ms: number; readonly most: number },
) {
  const known = new Map<string, { readonly until_ms: number; readonly value: Promise<T> }>();
  const find = (key: string, read: () => Promise<T>, since_ms: number): Promise<T> => {
    const now_ms = clock.now_ms();
    const found = known.get(key);
    if (found !== undefined && found.until_ms > now_ms) {
      return found.value.catch((error: unknown) => {
        const hasTime = clock.now_ms() - since_ms < SHARING_MAX_ms;
        // The request that started the read was refused or closed. This request still needs the value, so it starts
        // another read.
        if (isRefusedAtGate(error) && hasTime) return find(key, read, since_ms);
        throw error;
      });
    }
    if (known.size >= most) known.clear();
    const entry = { until_ms: now_ms + for_ms, value: read() };
    known.set(key, entry);
    // Failed reads are not cached.
    entry.value.catch(() => known.get(key) === entry && known.delete(key));
    return entry.value;
  };
  return {
    get: (key: string, read: () => Promise<T>) => find(key, read, clock.now_ms()),
    /** Removes one entry, or all entries. Call this after changing the data. */
    forget: (key?: string) => void (key === undefined ? known.clear() : known.delete(key)),
  };
}
