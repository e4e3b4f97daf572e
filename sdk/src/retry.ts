/** When a call is tried again, and how long to wait before: full jitter, or what the service says. */

import { ConnectionFailed, LeadportError } from "./errors.ts";

export interface RetryPolicy {
  /** Tries in all. */
  readonly attempts: number;
  /** No try begins later than so long after the first. */
  readonly total_ms: number;
  /** The first wait is at most so long, each further one at most twice the one before. */
  readonly base_ms: number;
  readonly max_ms: number;
}

export const RETRY: RetryPolicy = {
  attempts: 6,
  // Twice as long as the service ever asks to wait, and time for tries.
  total_ms: 150_000,
  base_ms: 250,
  max_ms: 10_000,
};

export const NO_RETRY: RetryPolicy = { ...RETRY, attempts: 1 };

/** The service, or a proxy before it, is away for a while. */
const AWAY = new Set([502, 503, 504]);

/**
 * Whether a further try can help and does no harm. `isSafe` says that the request may arrive twice.
 * 429, and 409 with `Retry-After`, say that this one was not carried out.
 */
export function isWorthRetrying(error: unknown, isSafe: boolean): boolean {
  if (error instanceof ConnectionFailed) return isSafe;
  if (!(error instanceof LeadportError)) return false;
  if (error.status === 429) return true;
  if (error.status === 409) return error.retryAfter_s !== undefined;
  return isSafe && AWAY.has(error.status);
}

/** How long to wait after the failed try of a number, from 1, in milliseconds. */
export function waitAfter(attempt: number, error: unknown, policy: RetryPolicy): number {
  const { base_ms, max_ms } = policy;
  const asked_s = error instanceof LeadportError ? error.retryAfter_s : undefined;
  if (asked_s !== undefined) return asked_s * 1000 + Math.random() * base_ms;
  return Math.random() * Math.min(max_ms, base_ms * 2 ** (attempt - 1));
}

/** Resolves after a time; rejects with the signal's reason when it is aborted. */
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
