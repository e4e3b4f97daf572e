/** Limits how fast files are copied, so that a backup leaves the disk and the processor to concurrent requests. */

/** Returns how many milliseconds to wait after copying `bytes` bytes. */
export type Pace = (bytes: number, now_ms: number) => number;

/** Creates a limit that files copied in parallel share. A limit of 0 means none. */
export function createPace(max_bytes_per_s: number): Pace {
  let free_ms = 0;
  return (bytes, now_ms) => {
    if (max_bytes_per_s === 0) return 0;
    free_ms = Math.max(free_ms, now_ms) + (bytes / max_bytes_per_s) * 1000;
    return free_ms - now_ms;
  };
}
