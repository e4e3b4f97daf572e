/** How many requests a credential may have in progress at once, in this process (docs/fair-shares.md). */

import { AppError } from "./errors.ts";
import type { LimitedCredential } from "./limiter.ts";

export interface InProgress {
  /**
   * Counts a request until the function that it returns is called. Throws `too_many_at_once`, with
   * `Retry-After`, if the credential has as many in progress as it may.
   */
  readonly begin: (credential: LimitedCredential) => () => void;
}

/** `installationLimit` is that of credentials without one of their own; 0 is none. */
export function createInProgress(installationLimit: number): InProgress {
  const counts = new Map<string, number>();
  return {
    begin: ({ tenantId, id, concurrency_limit }) => {
      const key = `${tenantId} ${id}`;
      const count = counts.get(key) ?? 0;
      const limit = concurrency_limit ?? installationLimit;
      if (limit > 0 && count >= limit) {
        throw new AppError("too_many_at_once", { headers: { "retry-after": "1" } });
      }
      counts.set(key, count + 1);
      return () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
