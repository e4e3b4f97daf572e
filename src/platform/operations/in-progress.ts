/** How many requests a credential may have in progress at once, in this process (docs/fair-shares.md). */

import { AppError } from "../errors/index.ts";
import type { LimitedCredential } from "./limiter.ts";

export interface InProgress {
  /**
   * Counts a request until the function that it returns is called. Throws `too_many_at_once`, with
   * `Retry-After`, if the credential has as many in progress as it may.
   */
  readonly begin: (credential: LimitedCredential) => () => void;
}

/** `installationLimit` is that of credentials without their own; 0 is none. */
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
