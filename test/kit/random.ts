/** Random numbers that are the same in every run. */

/** Returns a generator of numbers from 0 to 1. The same seed always gives the same numbers. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
