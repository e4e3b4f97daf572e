/** Adds the Authorization header to requests, and renews a rejected credential. */

import { isStream, type Attempt } from "./transport.ts";

/** Provides the Authorization header, and a new one if the service rejected the last one. */
export interface Credentials {
  readonly header: () => Promise<string>;
  readonly renew?: (refused: string) => Promise<string>;
}

/** Sends an attempt, and immediately another one if the credential was rejected and can be renewed. */
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
