/**
 * The API client that the pages use. It calls only the public API, with the signed-in user's
 * session cookie.
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

/** A loosely typed `request`, for paths in which the record type is a variable. */
export const ask = api.request as unknown as <T>(
  method: Method,
  path: string,
  message?: Omit<Message, "method" | "template">,
) => Promise<Answer<T>>;

/** Whether an error means that no user is signed in or that the session has ended. */
export const isSignedOut = hasStatus(401);

/** Whether an error means that the signed-in user lacks the permission. */
export const isForbidden = hasStatus(403);
