/** The query cache. Responses are reused for a while and reloaded when they may be stale. */

import { ConnectionFailed, LeadportError } from "@leadport/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut } from "../api/index.ts";

/** Called when the service reports that the session has ended. */
const onSignedOut = new Set<() => void>();

/**
 * Registers a function to call when the session ends while the page is open. Returns a function
 * that unregisters it.
 */
export function whenSignedOut(call: () => void): () => void {
  onSignedOut.add(call);
  return () => onSignedOut.delete(call);
}

const notice = (error: unknown): void => {
  if (isSignedOut(error)) for (const call of onSignedOut) call();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The API client already retries, so remaining errors are shown.
      retry: (count, error) =>
        count < 1 &&
        (error instanceof ConnectionFailed ||
          (error instanceof LeadportError && error.status >= 500)),
    },
    mutations: { retry: false },
  },
});
