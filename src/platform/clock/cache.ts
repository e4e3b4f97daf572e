/** What is remembered for who asks the same again: what is worked out from a text, and what was read just now. */

import type { Clock } from "./clock.ts";
import { isRefusedAtGate } from "../errors/index.ts";

/** What a text of at most so many characters is worth remembering for. */
const KEY_MAX = 2000;

/** Remembers what `make` answers, for up to `most` texts; which, where there are more, is left open. */
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

/** Works something out of each object once: of a record type, say. */
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

/** Reads that are remembered for a moment: each of them at most so long, and no more than so many. */
export type Memory<T> = ReturnType<typeof createMemory<T>>;

/** A request that has waited so long for another's read does not wait for a third one's: each may take 5 s. */
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
        // Only the request that started the read was refused, or was closed.
        if (isRefusedAtGate(error) && hasTime) return find(key, read, since_ms);
        throw error;
      });
    }
    if (known.size >= most) known.clear();
    const entry = { until_ms: now_ms + for_ms, value: read() };
    known.set(key, entry);
    // A read that failed is not worth remembering.
    entry.value.catch(() => known.get(key) === entry && known.delete(key));
    return entry.value;
  };
  return {
    get: (key: string, read: () => Promise<T>) => find(key, read, clock.now_ms()),
    /** Forgets one of them, or all: something was changed. */
    forget: (key?: string) => void (key === undefined ? known.clear() : known.delete(key)),
  };
}
