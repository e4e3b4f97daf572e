/** Medians and quantiles, and the statistics of the performance guard: a median with its confidence interval. */

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export interface Estimate {
  readonly median: number;
  /** The bounds of the 95% interval of the median. */
  readonly low: number;
  readonly high: number;
}

const CONFIDENCE = 0.95;
/** With fewer values, even the range from smallest to largest covers less than 95%. */
export const ROUNDS_MIN = 6;

/**
 * Returns the median, and its 95% interval by order statistics: the kth smallest and the kth largest value, where k is
 * the largest rank whose interval covers at least 95% by the binomial distribution. This method assumes nothing about
 * how the values are distributed. For 20 values, the interval is from the 6th to the 15th value (95.9%).
 */
export function estimate(values: readonly number[]): Estimate {
  const { length } = values;
  if (length < ROUNDS_MIN)
    throw new Error(`${length} values have no 95 % interval: ${ROUNDS_MIN} do`);
  const sorted = values.toSorted((a, b) => a - b);
  const at = (rank: number): number => sorted[rank - 1] ?? Number.NaN;
  const rank = rankOf(length);
  return {
    median: (at(Math.ceil(length / 2)) + at(Math.floor(length / 2) + 1)) / 2,
    low: at(rank),
    high: at(length + 1 - rank),
  };
}

/**
 * Returns the largest rank k with 2 × P(X < k) at most 5%, where X is binomially distributed with n trials
 * and probability 1/2.
 */
function rankOf(n: number): number {
  let rank = 0;
  let below = 0;
  let probability = 0.5 ** n;
  while (2 * (below + probability) <= 1 - CONFIDENCE) {
    below += probability;
    probability *= (n - rank) / (rank + 1);
    rank += 1;
  }
  return rank;
}

/** The highest ratio that passes. */
export const RATIO_MAX = 1.05;

/**
 * A workload is slower if the median is above the limit. If the interval contains the limit, the result is
 * inconclusive. In that case, repeat the workload with more rounds.
 */
export function judge({ median, low, high }: Estimate): { isSlower: boolean; isOpen: boolean } {
  return { isSlower: median > RATIO_MAX, isOpen: low <= RATIO_MAX && high > RATIO_MAX };
}
