/** Limits each credential's concurrent requests in this process (docs/fair-shares.md). */

import { AppError } from "../errors/index.ts";
import type { LimitedCredential } from "./limiter.ts";

export interface InProgress {
  /**
   * Counts a request until the returned function is called. Throws `too_many_at_once` with `Retry-After` if the
   * credential has reached its limit.
   */
  readonly begin: (credential: LimitedCredential) => () => void;
}

/** `installationLimit` applies to credentials without their own limit. 0 means unlimited. */
export function createInProgress(installationLimit: number): InProgress {
  const credentials = new Map<string, { count: number }>();
  return {
    begin: ({ id, concurrency_limit }) => {
      const limit = concurrency_limit ?? installationLimit;
      let own = credentials.get(id);
      if (own === undefined) credentials.set(id, (own = { count: 0 }));
      else if (limit > 0 && own.count >= limit) {
        throw new AppError("too_many_at_once", { headers: { "retry-after": "1" } });
      }
      own.count += 1;
      return () => {
        own.count -= 1;
        if (own.count === 0) credentials.delete(id);
      };
    },
  };
}
