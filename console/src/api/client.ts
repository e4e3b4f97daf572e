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

const SETTINGS = { url: location.origin, retry: { attempts: 3, total_ms: 8000 } } as const;

let userId: string | undefined;

/**
 * Sets the user that this window sends requests as. All windows of a browser share the cookie. If another user signs in
 * in another window, this window's requests fail with 401.
 */
export function sendAs(id: string): void {
  userId = id;
}

/** Returns the header that identifies the user. */
export const userHeaders = (): Readonly<Record<string, string>> =>
  userId === undefined ? {} : { "X-Person-Id": userId };

export const api = createSessionClient({
  ...SETTINGS,
  fetch: (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(userHeaders())) headers.set(name, value);
    return fetch(input, { ...init, headers });
  },
});

/** A client that sends requests as any signed-in user, to find out who that is. */
export const apiAsAnyone = createSessionClient(SETTINGS);

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
