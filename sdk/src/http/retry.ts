/**
 * Determines when a call is retried and how long it waits before that: with full jitter, or as long
 * as the service asks.
 */

import { ConnectionFailed, LeadportError } from "../errors.ts";

export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** No attempt starts later than this after the first one. */
  readonly total_ms: number;
  /** The maximum first wait. The maximum doubles with each further wait. */
  readonly base_ms: number;
  readonly max_ms: number;
}

export const RETRY: RetryPolicy = {
  attempts: 6,
  // Twice the longest wait that the service asks for, plus time for the attempts.
  total_ms: 150_000,
  base_ms: 250,
  max_ms: 10_000,
};

export const NO_RETRY: RetryPolicy = { ...RETRY, attempts: 1 };

/** The service, or a proxy in front of it, is temporarily unavailable. */
const UNAVAILABLE = new Set([502, 503, 504]);

/**
 * Whether a retry is useful and harmless. `isSafe` means that the request may arrive twice. 429,
 * and 409 with `Retry-After`, mean that this request was not carried out.
 */
export function isWorthRetrying(error: unknown, isSafe: boolean): boolean {
  if (error instanceof ConnectionFailed) return isSafe;
  if (!(error instanceof LeadportError)) return false;
  if (error.status === 429) return true;
  if (error.status === 409) return error.retryAfter_s !== undefined;
  return isSafe && UNAVAILABLE.has(error.status);
}

/** Returns how long to wait after the n-th failed attempt (from 1), in milliseconds. */
export function waitAfter(attempt: number, error: unknown, policy: RetryPolicy): number {
  const { base_ms, max_ms } = policy;
  const asked_s = error instanceof LeadportError ? error.retryAfter_s : undefined;
  if (asked_s !== undefined) return asked_s * 1000 + Math.random() * base_ms;
  return Math.random() * Math.min(max_ms, base_ms * 2 ** (attempt - 1));
}

/** Resolves after a time. Rejects with the signal's reason when it is aborted. */
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
