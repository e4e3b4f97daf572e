/** Waits for work to complete, with a timeout. */

import pTimeout from "p-timeout";

/** Returns whether work completes within a time limit. If the work fails within that time, throws its error. */
export const within = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  pTimeout(
    work.then(() => true),
    { milliseconds, fallback: () => false },
  );
