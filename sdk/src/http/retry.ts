/**
 * Determines whether a call is retried and how long it waits first: a random time (full jitter), or
 * as long as the service asks.
 */

import { ConnectionFailed, LeadportError } from "../errors.ts";

export interface RetryPolicy {
  /** The maximum number of attempts, including the first. */
  readonly attempts: number;
  /**
   * The maximum time from the start of the call to the start of the last attempt, in milliseconds.
   */
  readonly total_ms: number;
  /** The upper bound of the first wait, in milliseconds. It doubles for each subsequent wait. */
  readonly base_ms: number;
  readonly max_ms: number;
}

export const RETRY: RetryPolicy = {
  attempts: 6,
  // Twice the longest wait that the service requests, plus time for the attempts themselves.
  total_ms: 150_000,
  base_ms: 250,
  max_ms: 10_000,
};

export const NO_RETRY: RetryPolicy = { ...RETRY, attempts: 1 };

/** Statuses that mean that the service, or a proxy in front of it, is temporarily unavailable. */
const UNAVAILABLE = new Set([502, 503, 504]);

/**
 * Whether a retry can help a request that may arrive twice. A 429, or a 409 with `Retry-After`,
 * means that the request was not executed.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof ConnectionFailed) return true;
  if (!(error instanceof LeadportError)) return false;
  if (error.status === 429) return true;
  if (error.status === 409) return error.retryAfter_s !== undefined;
  return UNAVAILABLE.has(error.status);
}

/** Returns how long to wait after the nth failed attempt (starting at 1), in milliseconds. */
export function waitAfter(attempt: number, error: unknown, policy: RetryPolicy): number {
  const { base_ms, max_ms } = policy;
  const asked_s = error instanceof LeadportError ? error.retryAfter_s : undefined;
  if (asked_s !== undefined) return asked_s * 1000 + Math.random() * base_ms;
  return Math.random() * Math.min(max_ms, base_ms * 2 ** (attempt - 1));
}

/** Resolves after a delay. Rejects with the signal's reason if it is aborted first. */
export function sleep(time_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, time_ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
