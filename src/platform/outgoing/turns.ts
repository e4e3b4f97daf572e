/** Long work in steps between which other requests are served. */

import { setImmediate as nextTurn } from "node:timers/promises";

/** After this time others have their turn. */
const TURN_ms = 20;

export class Turns {
  #since_ms = performance.now();

  /** Whether it is time to await `take`. Asked between steps of less than a few milliseconds. */
  isDue(): boolean {
    return performance.now() - this.#since_ms > TURN_ms;
  }

  /** Lets others have their turn. */
  async take(): Promise<void> {
    await nextTurn();
    this.#since_ms = performance.now();
  }
}
