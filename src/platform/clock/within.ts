/** Waiting that ends. */

import pTimeout from "p-timeout";

/** Whether work ends within this time. Throws what the work throws until then. */
export const within = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  pTimeout(
    work.then(() => true),
    { milliseconds, fallback: () => false },
  );
