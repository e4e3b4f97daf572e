/** Stops synchronous work that takes far too long. */

import assert from "node:assert/strict";
import { createContext, Script } from "node:vm";

const context = createContext();
const script = new Script("work()");

/**
 * Returns the result of synchronous work. If the work takes longer than `limit_s`, stops it, even in the middle of a
 * regular expression, and fails.
 *
 * This checks that work takes linear time: choose an input for which linear work takes milliseconds, and quadratic work
 * takes several times the limit. Unlike a comparison of measured times, the result is then the same on a slow or busy
 * machine.
 */
export function endsInTime<T>(what: string, work: () => T, limit_s = 60): T {
  context["work"] = work;
  try {
    return script.runInContext(context, { timeout: limit_s * 1000 }) as T;
  } catch (error) {
    const isStopped = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    assert.ok(!isStopped, `${what} takes more than ${limit_s} s`);
    throw error;
  }
}
