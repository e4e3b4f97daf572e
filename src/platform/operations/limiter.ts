/**
 * What an operation needs of a rate limit: its calls are counted before they are run, each
 * response shows what is left of the limit, and calls that cost nothing are not counted. access/limits/rate-limit.ts does the counting.
 */

import type { FastifyReply } from "fastify";
import type { Credential } from "./idempotency.ts";

/** The highest limit there is, in requests a minute; above it, none is meant. */
export const RATE_LIMIT_MAX = 1_000_000;
/** The highest limit of requests in progress at once. */
export const CONCURRENCY_LIMIT_MAX = 100_000;

/** By whose rate limit a call is counted. */
export interface RateLimited extends Credential {
  /** Requests a minute; null is the installation's limit, 0 is none. */
  readonly rate_limit: number | null;
}

/** By whose limits a call is counted. */
export interface LimitedCredential extends RateLimited {
  /** Requests in progress at once in a process; null is the installation's limit, 0 is none. */
  readonly concurrency_limit: number | null;
}

/** A call that was counted. */
export interface CountedCall {
  /** `RateLimit-Policy` and `RateLimit`, as things stand now. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Takes the call out of the count again. */
  readonly release: () => void;
}

export interface Limiter {
  /**
   * Counts a call; undefined where the credential has no limit. Throws `too_many_requests`, with the
   * headers and `Retry-After`, where it has no call left in this window.
   */
  readonly take: (credential: RateLimited) => Promise<CountedCall | undefined>;
}

/** What costs a client nothing: an answer that was given before, and "you have it already". */
const isFree = (reply: FastifyReply): boolean =>
  reply.statusCode === 304 || reply.hasHeader("idempotency-replayed");

/** Before an answer goes out: gives its call back where it is free, and tells so. */
export function settle(call: CountedCall | undefined, reply: FastifyReply): void {
  if (call === undefined || !isFree(reply)) return;
  call.release();
  reply.headers(call.headers());
}

/** What openapi.json says of the headers. */
export const LIMIT_HEADERS = {
  "RateLimit-Policy": {
    type: "string",
    description: 'Requests (q) in a window of seconds (w), such as "default";q=6000;w=60.',
  },
  RateLimit: {
    type: "string",
    description: 'What is left (r), and for how many seconds (t), such as "default";r=5987;t=42.',
  },
} as const;
