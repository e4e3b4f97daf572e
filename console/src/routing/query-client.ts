/** The query cache. Responses are reused for a while and reloaded when they may be stale. */

import { ConnectionFailed, LeadportError } from "@leadport/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut, sendAs, sessionQuery } from "../api/index.ts";
import { dropHeldWork } from "./held-work.ts";

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

/** The user whose data this window shows or, after signing out, showed. */
let userId: string | undefined;

queryClient.getQueryCache().subscribe(() => {
  const id = queryClient.getQueryData(sessionQuery.queryKey)?.person.id;
  if (id === undefined || id === userId) return;
  const isOther = userId !== undefined;
  userId = id;
  if (isOther) {
    dropHeldWork();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  }
  sendAs(id);
});
