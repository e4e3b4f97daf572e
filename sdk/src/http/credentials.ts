/** Adds the Authorization header to requests, and renews a rejected credential. */

import type { Attempt } from "./request.ts";
import { isStream } from "./transport.ts";

/** Provides the Authorization header, and a new one if the service rejected the previous one. */
export interface Credentials {
  readonly header: () => Promise<string>;
  readonly renew?: (refused: string) => Promise<string>;
}

/**
 * Wraps an attempt: adds the credential and, if it is rejected and can be renewed, immediately
 * tries again.
 */
export function authorized(attempt: Attempt, { header, renew }: Credentials): Attempt {
  return async (prepared, read) => {
    const authorization = await header();
    prepared.headers.set("authorization", authorization);
    try {
      return await attempt(prepared, read);
    } catch (error) {
      const isRefused = (error as { status?: unknown }).status === 401;
      if (!isRefused || renew === undefined || isStream(prepared.body)) throw error;
      prepared.headers.set("authorization", await renew(authorization));
      return attempt(prepared, read);
    }
  };
}
