/**
 * The types of requests: the message that a call passes, and the prepared request that every attempt
 * sends.
 */

import type { RetryPolicy } from "./retry.ts";

export type Method = "get" | "put" | "post" | "patch" | "delete";

/** A file's content. It is sent unchanged and only once. */
export type RawBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

export interface CallOptions {
  /**
   * The Idempotency-Key for this POST, PUT or PATCH. Default: a random key. `false` sends none, and
   * disables retries for POST and PATCH. Operations that ignore the header get no key.
   */
  readonly idempotencyKey?: string | false;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /**
   * The timeout of one attempt in milliseconds, including reading the response body. Default:
   * 30,000; no limit for uploads, exports and `open`.
   */
  readonly timeout_ms?: number;
  readonly retry?: Partial<RetryPolicy> | false;
}

/** Options of operations that change one record. */
export interface IfMatch {
  /** A `version` or an ETag. The write fails with 412 if the record is at a different version. */
  readonly ifMatch?: number | string;
}

/** Options of operations that read one record. */
export interface IfNoneMatch {
  /**
   * The `version` or ETag that you already have. If it is current, the response is a 304 without
   * data.
   */
  readonly ifNoneMatch: number | string;
}

export interface Message extends CallOptions, IfMatch, Partial<IfNoneMatch> {
  readonly method: Method;
  /** The path with the API's placeholders, which are replaced with the values in `path`. */
  readonly template: string;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * Sends a message and returns what `read` returns for a successful response. Throws the errors in
 * errors.ts.
 */
export type Send = <T>(message: Message, read: (response: Response) => Promise<T>) => Promise<T>;

export interface Prepared {
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: RawBody | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeout_ms: number;
  readonly policy: RetryPolicy;
  /** Whether a 304 counts as a success. */
  readonly mayBeUnchanged: boolean;
  readonly fetch: typeof globalThis.fetch;
}

/** Sends a prepared request once. Functions that add credentials and call hooks wrap it. */
export type Attempt = <T>(
  prepared: Prepared,
  read: (response: Response) => Promise<T>,
) => Promise<T>;
