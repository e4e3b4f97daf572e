/**
 * Rate limits of operations. Each call is counted before it runs. If it turns out to be free (a replayed response or a
 * 304), it is removed from the count. Each response shows the number of remaining requests. limits/rate-limit.ts
 * does the counting.
 */

import { string } from "../schemas/index.ts";
import type { FastifyReply } from "fastify";
import type { Credential } from "./idempotency.ts";

/** The highest rate limit that can be set, in requests per minute. */
export const RATE_LIMIT_MAX = 1_000_000;
/** The highest limit on concurrent requests that can be set. */
export const CONCURRENCY_LIMIT_MAX = 100_000;

/** The credential whose rate limit applies to a call. */
export interface RateLimited extends Credential {
  /** Requests per minute. Null means the installation's limit; 0 means unlimited. */
  readonly rate_limit: number | null;
}

/** The credential whose limits apply to a call. */
export interface LimitedCredential extends RateLimited {
  /** Concurrent requests in a process. Null means the installation's limit; 0 means unlimited. */
  readonly concurrency_limit: number | null;
}

/** A call that has been counted. */
export interface CountedCall {
  /** The current values of `RateLimit-Policy` and `RateLimit`. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Removes the call from the count. */
  readonly release: () => void;
}

export interface Limiter {
  /**
   * Counts a call. Returns undefined if the credential has no limit. Throws `too_many_requests` with the headers and
   * `Retry-After` if no calls remain in the current window.
   */
  readonly take: (credential: RateLimited) => Promise<CountedCall | undefined>;
}

/** Whether a call is free because its response is a replay or a 304. */
const isFree = (reply: FastifyReply): boolean =>
  reply.statusCode === 304 || reply.hasHeader("idempotency-replayed");

/** Removes a free call from the count and updates the headers. Call this before a response is sent. */
export function settle(call: CountedCall | undefined, reply: FastifyReply): void {
  if (call === undefined || !isFree(reply)) return;
  call.release();
  reply.headers(call.headers());
}

/** Describes the rate limit headers for openapi.json. */
export const LIMIT_HEADERS = {
  "RateLimit-Policy": string(
    'The limit: requests (`q`) per window of `w` seconds, such as `"default";q=6000;w=60`.',
  ),
  RateLimit: string(
    'The remaining requests (`r`) in the window, which ends in `t` seconds, such as `"default";r=5987;t=42`.',
  ),
} as const;
