/** Keeps the partner's session alive while the portal is open. */

import { useEffect, useState } from "react";
import { ask, isSignedOut } from "../api/index.ts";

/** The fraction of the remaining lifetime after which a session is renewed. */
const PART = 0.8;
const SHORTEST_WAIT_s = 30;
const AFTER_FAILURE_s = 60;

/**
 * Renews the session immediately, and again each time before it expires. Returns the end of the session in epoch
 * seconds once the service no longer extends it; undefined until then.
 */
export function useRenewal(): number | undefined {
  const [endsAt, setEndsAt] = useState<number>();
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let until: number | undefined;
    const later = (wait_s: number) => {
      timer = setTimeout(() => void renew(), wait_s * 1000);
    };
    const renew = async (): Promise<void> => {
      try {
        const { expires_ts } = await renewed(stopping.signal);
        const isProlonged = until === undefined || expires_ts > until;
        until = expires_ts;
        if (!isProlonged) return setEndsAt(until);
        later(Math.max(SHORTEST_WAIT_s, (expires_ts - Date.now() / 1000) * PART));
      } catch (error) {
        if (stopping.signal.aborted) return;
        // The session can no longer be renewed but may still be valid. The next request shows
        // whether it has ended.
        if (isSignedOut(error)) setEndsAt(until);
        else later(AFTER_FAILURE_s);
      }
    };
    void renew();
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, []);
  return endsAt;
}

async function renewed(signal: AbortSignal): Promise<{ readonly expires_ts: number }> {
  const message = { signal, idempotencyKey: false } as const;
  return (await ask<{ readonly expires_ts: number }>("post", "/auth/partner/renew", message)).data;
}
