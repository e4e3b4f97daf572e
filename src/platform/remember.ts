/** What is worked out from a text alone, remembered for who asks the same again. */

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
