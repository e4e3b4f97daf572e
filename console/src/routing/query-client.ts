/** What was asked of the service is kept for a while and asked again when it may be old. */

import { ConnectionFailed, LeadportError } from "@leadport/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSignedOut } from "../api/index.ts";

/** Told when the service answers that nobody is signed in any more. */
const onSignedOut = new Set<() => void>();

/** Calls back when a session has ended in the middle of the work; answers how to stop that. */
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
      // The client tries again by itself; what it gives up on is shown.
      retry: (count, error) =>
        count < 1 &&
        (error instanceof ConnectionFailed ||
          (error instanceof LeadportError && error.status >= 500)),
    },
    mutations: { retry: false },
  },
});
