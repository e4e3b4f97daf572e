/**
 * Limits the speed at which files are copied, so that a backup leaves enough disk and processor time for concurrent
 * requests.
 */

/** Returns how many milliseconds to wait after copying `bytes` bytes. */
export type Pace = (bytes: number, now_ms: number) => number;

/** Creates a speed limit. Files that are copied in parallel share it. A limit of 0 means no limit. */
export function createPace(max_bytes_per_s: number): Pace {
  let free_ms = 0;
  return (bytes, now_ms) => {
    if (max_bytes_per_s === 0) return 0;
    free_ms = Math.max(free_ms, now_ms) + (bytes / max_bytes_per_s) * 1000;
    return free_ms - now_ms;
  };
}
