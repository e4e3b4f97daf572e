/** Suggests the intended name for a misspelled word. */

/** A word that the user typed, and the name that they may have meant. */
export type Candidate = readonly [typed: string, name: string];

/** Returns the maximum edit distance at which a name is suggested: 40% of its length, but at least 1 and at most 3. */
const editsAllowed = (name: string): number =>
  Math.max(1, Math.min(3, Math.floor(name.length * 0.4)));

/** Returns the name with the smallest edit distance. Undefined if none is close enough. */
export function closest(candidates: readonly Candidate[]): string | undefined {
  const [best] = candidates
    .map(([typed, name]) => ({ name, edits: editsBetween(typed, name) }))
    .filter(({ name, edits }) => edits <= editsAllowed(name))
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name;
}

/** Returns the number of insertions, deletions, replacements and swaps of adjacent letters (optimal string alignment). */
export function editsBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row += 1) {
    const edits = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const isSame = from[row - 1] === to[at - 1];
      const isSwapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      edits.push(
        Math.min(
          (edits[at - 1] ?? 0) + 1,
          (last[at] ?? 0) + 1,
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[at - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = edits;
  }
  return last[to.length] ?? 0;
}
