/** Untyped calls, on which all typed methods, pages, polls and feeds are built. */

import type { Message, Method, Send } from "./request.ts";

/** A successful response with its metadata. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** The version of the returned record, which can be passed as `ifMatch`. */
  readonly etag: string | undefined;
  /**
   * The result of a write, if the service returns one: `created`, `updated`, `unchanged` or
   * `existing`.
   */
  readonly result: string | undefined;
  /** Whether this is a stored response to an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

export type CallMessage = Omit<Message, "method" | "template">;

export interface Calls {
  readonly call: (
    method: Method,
    template: string,
    message?: CallMessage,
  ) => Promise<Answer<unknown>>;
  /**
   * Returns the response without reading its body. Waits for it without a time limit by default,
   * because exports wait for their turn.
   */
  readonly open: (method: Method, template: string, message?: CallMessage) => Promise<Response>;
}

export const createCalls = (send: Send): Calls => ({
  call: (method, template, message) => send({ ...message, method, template }, readAnswer),
  open: (method, template, message) =>
    send(
      { ...message, method, template, timeout_ms: message?.timeout_ms ?? Infinity },
      async (response) => response,
    ),
});

async function readAnswer(response: Response): Promise<Answer<unknown>> {
  const { status, headers } = response;
  const text = await response.text();
  const isUnchanged = status === 304;
  const isJson = /\bjson\b/.test(headers.get("content-type") ?? "");
  return {
    // Truncated JSON throws here, which means that the response was cut off.
    data: isUnchanged ? undefined : isJson ? (JSON.parse(text) as unknown) : text,
    status,
    headers,
    // Proxies that compress responses weaken their ETags, and `If-Match` never matches weak tags.
    etag: headers.get("etag")?.replace(/^W\//, ""),
    result: headers.get("x-result") ?? undefined,
    isReplayed: headers.get("idempotency-replayed") === "true",
  };
}
