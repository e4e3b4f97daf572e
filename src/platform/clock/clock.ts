/** The clock that is passed to all code that needs the time. No other file reads the system clock. */

export interface Clock {
  /** Milliseconds since 1970. The decimal places contain the microseconds. */
  readonly now_ms: () => number;
}

/**
 * Returns the system clock with microsecond resolution. `Date` has only millisecond resolution, and the monotonic clock
 * drifts away from it, so the monotonic time is clamped to the current millisecond of `Date`.
 */
export function systemClock(): Clock {
  let offset_ms = Date.now() - performance.now();
  return {
    now_ms: () => {
      const date_ms = Date.now();
      const fine = offset_ms + performance.now();
      const clamped = Math.min(Math.max(fine, date_ms), date_ms + 0.999);
      offset_ms += clamped - fine;
      return clamped;
    },
  };
}

/** Returns the current time in whole epoch seconds, the unit of all record timestamps. */
export const epochSeconds = (clock: Clock): number => Math.floor(clock.now_ms() / 1000);

/** Formats a time as ISO 8601 in UTC, to the second: `2024-04-16T17:48:14Z`. */
export const isoSeconds = (epoch_s: number): string =>
  `${new Date(epoch_s * 1000).toISOString().slice(0, 19)}Z`;
