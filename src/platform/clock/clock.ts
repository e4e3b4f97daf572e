/** Time as it is passed in: no other file asks the machine for it (invariant 8). */

export interface Clock {
  /** Milliseconds since 1970, with microseconds behind the point. */
  readonly now_ms: () => number;
}

/**
 * The machine's clock. `Date` alone steps once a millisecond and the monotonic clock alone drifts from
 * it, so the second is held inside the millisecond that the first shows.
 */
export function systemClock(): Clock {
  let offset_ms = Date.now() - performance.now();
  return {
    now_ms: () => {
      const shown = Date.now();
      const fine = offset_ms + performance.now();
      const held = Math.min(Math.max(fine, shown), shown + 0.999);
      offset_ms += held - fine;
      return held;
    },
  };
}

/** Whole epoch seconds, as every timestamp of a record is told. */
export const epochSeconds = (clock: Clock): number => Math.floor(clock.now_ms() / 1000);

/** `2024-04-16T17:48:14Z`: ISO 8601 UTC to the second. */
export const isoSeconds = (epoch_s: number): string =>
  `${new Date(epoch_s * 1000).toISOString().slice(0, 19)}Z`;
