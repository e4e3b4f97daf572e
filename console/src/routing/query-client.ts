/** The query cache: responses are reused for a while and reloaded when they may be stale. */

import { ConnectionFailed, LeadportError } from "@leadport/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut } from "../api/index.ts";

/** Called when the service reports that the session has ended. */
const onSignedOut = new Set<() => void>();

/** Calls a function when the session ends while the page is open. Returns a function that cancels this. */
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
      // The API client already retries. Errors that remain are shown.
      retry: (count, error) =>
        count < 1 &&
        (error instanceof ConnectionFailed ||
          (error instanceof LeadportError && error.status >= 500)),
    },
    mutations: { retry: false },
  },
});
