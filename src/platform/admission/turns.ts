/** Splits long work into turns so that the event loop can serve other requests in between. */

import { setImmediate as nextTurn } from "node:timers/promises";

/** The duration of a turn, after which other requests are served. */
const TURN_ms = 20;

export class Turns {
  #since_ms = performance.now();

  /** Whether to await `take` now. Call this between steps that take at most a few milliseconds. */
  isDue(): boolean {
    return performance.now() - this.#since_ms > TURN_ms;
  }

  /** Lets the event loop serve other requests. */
  async take(): Promise<void> {
    await nextTurn();
    this.#since_ms = performance.now();
  }
}
