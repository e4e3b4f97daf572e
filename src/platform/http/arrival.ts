/**
 * Limits how long the service waits for a client to send a request body. The service's own processing time does not
 * count.
 */

export interface Pace {
  /** The time limit at the start, before any bytes have arrived. */
  readonly grace_ms: number;
  /** The expected data rate. Each byte that arrives extends the remaining time accordingly. */
  readonly bytes_per_s: number;
  /** The maximum remaining time that a client can accumulate. */
  readonly saved_max_ms?: number;
}

/** The time limit for bodies that are read into memory: 30 s, plus 1 s for each 64 KiB. */
export const BODY_PACE: Pace = { grace_ms: 30_000, bytes_per_s: 64 * 1024 };

/** The minimum rate for import files of any size: 1 KiB/s, averaged over a minute. */
export const UPLOAD_PACE: Pace = { grace_ms: 60_000, bytes_per_s: 1024, saved_max_ms: 60_000 };

/** Calls `onLate` once if the client runs out of time. */
export function createArrival(
  { grace_ms, bytes_per_s, saved_max_ms = Number.POSITIVE_INFINITY }: Pace,
  onLate: () => void,
) {
  let left_ms = grace_ms;
  let since_ms = 0;
  let timer: NodeJS.Timeout | undefined;
  let check: NodeJS.Immediate | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    clearImmediate(check);
    timer = undefined;
  };
  return {
    wait: (): void => {
      since_ms = performance.now();
      // In a busy process, the timer may fire although bytes have already arrived. `setImmediate` lets Node.js read
      // them first.
      timer = setTimeout(() => (check = setImmediate(onLate)), left_ms);
    },
    /** Call this when bytes arrive. Stops the timer and extends the remaining time. */
    receive: (bytes: number): void => {
      if (timer !== undefined) left_ms -= performance.now() - since_ms;
      stop();
      left_ms = Math.max(0, Math.min(left_ms + (bytes * 1000) / bytes_per_s, saved_max_ms));
    },
    /** Call this when the body is complete or is no longer being read. */
    end: stop,
  };
}
