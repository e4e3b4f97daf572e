/**
 * The service that these pages came from, asked as whoever is signed in: the session's cookie goes with
 * each request by itself. All that the pages do goes through the public API.
 */

import {
  createSessionClient,
  hasStatus,
  type Answer,
  type Message,
  type Method,
} from "@leadport/client";

export const api = createSessionClient({
  url: location.origin,
  retry: { attempts: 3, total_ms: 8000 },
});

/** The same for paths that are put together from a record type. */
export const ask = api.request as unknown as <T>(
  method: Method,
  path: string,
  message?: Omit<Message, "method" | "template">,
) => Promise<Answer<T>>;

/** Whether nobody is signed in, or no longer. */
export const isSignedOut = hasStatus(401);

/** Whether whoever is signed in may not do this. */
export const isForbidden = hasStatus(403);
