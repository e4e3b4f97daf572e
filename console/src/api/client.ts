/**
 * The API client of the pages. Each request carries the session cookie of the signed-in user. The
 * pages use only the public API.
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

/** For paths that contain the record type as a variable. */
export const ask = api.request as unknown as <T>(
  method: Method,
  path: string,
  message?: Omit<Message, "method" | "template">,
) => Promise<Answer<T>>;

/** Whether an error means that no user is signed in or the session has ended. */
export const isSignedOut = hasStatus(401);

/** Whether an error means that the signed-in user lacks the permission. */
export const isForbidden = hasStatus(403);
