/**
 * Hooks that observe each request, for logs and metrics. Their arguments never contain credentials.
 */

import { LeadportError } from "../errors.ts";
import type { Attempt, Prepared } from "./request.ts";

export interface SentRequest {
  readonly method: string;
  /**
   * The path with the API's placeholders, such as `/crm/leads/{lead_id}`. Suitable as a metric
   * label.
   */
  readonly template: string;
  /** The URL without the query, which may contain personal data. */
  readonly url: string;
  /**
   * The number of this request within the call, starting at 1. Retries and requests repeated with a
   * new token increase it.
   */
  readonly attempt: number;
}

export interface ReceivedResponse extends SentRequest {
  /** The response status; undefined if there was no response or it could not be read. */
  readonly status: number | undefined;
  /**
   * The time from sending the request until the body was read or, for `open`, until the headers
   * arrived, in milliseconds.
   */
  readonly duration_ms: number;
  /** The request ID, as in the service's log. */
  readonly requestId: string | undefined;
  /** The error of this attempt: a LeadportError, a ConnectionFailed, or the reason for an abort. */
  readonly error: unknown;
}

export interface Hooks {
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
}

/** Wraps an attempt: calls the hooks before and after it. */
export function watched(attempt: Attempt, { onRequest, onResponse }: Hooks): Attempt {
  const counts = new WeakMap<Prepared, number>();
  return async (prepared, read) => {
    const { method, template, url } = prepared;
    const count = (counts.get(prepared) ?? 0) + 1;
    counts.set(prepared, count);
    const sent = { method, template, url: url.origin + url.pathname, attempt: count };
    onRequest?.(sent);
    const started_ms = performance.now();
    let response: Response | undefined;
    const outcome = await attempt(prepared, async (received) => {
      response = received;
      return read(received);
    }).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const error = "error" in outcome ? outcome.error : undefined;
    const refused = error instanceof LeadportError ? error : undefined;
    onResponse?.({
      ...sent,
      status: response?.status ?? refused?.status,
      duration_ms: performance.now() - started_ms,
      requestId: response?.headers.get("x-request-id") ?? refused?.requestId,
      error,
    });
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  };
}
