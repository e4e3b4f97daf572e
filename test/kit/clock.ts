/** A clock for tests. */

import type { Clock } from "../../src/platform/clock/clock.ts";

/** Returns a clock that only the test moves, so that nothing expires between two steps on a slow machine. */
export function movableClock(): Clock & { readonly forward_s: (seconds: number) => void } {
  let at_ms = Date.now();
  return {
    now_ms: () => at_ms,
    forward_s: (seconds) => void (at_ms += Math.round(seconds * 1000)),
  };
}
