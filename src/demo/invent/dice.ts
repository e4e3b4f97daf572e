/** Reproducible random choices. */

export type Dice = ReturnType<typeof createDice>;

/** Possible choices, each with a relative weight. */
export type Weighted<T> = readonly (readonly [choice: T, weight: number])[];

/** Creates a generator from a seed (mulberry32: 32 bits of state, fast, and random enough for sample data). */
export function createDice(seed: number) {
  let state = seed | 0;
  /** Returns a number from 0 to 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + next() * (most - least);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)] as T;
  return {
    next,
    between,
    pick,
    /** Returns a random whole number from `least` to `most`, inclusive. */
    whole: (least: number, most: number): number => Math.floor(between(least, most + 1)),
    /** Returns whether an event with this probability happens. */
    happens: (probability: number): boolean => next() < probability,
    weighted: <T>(choices: Weighted<T>): T => {
      let at = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      const found = choices.find(([, weight]) => (at -= weight) < 0) ?? choices.at(-1);
      return (found as Weighted<T>[number])[0];
    },
    /**
     * Returns a random value around `middle`. Half of the values are between `middle / spread` and `middle * spread`.
     */
    around: (middle: number, spread: number): number =>
      middle * spread ** (1.5 * (next() + next() + next() - 1.5)),
  };
}
