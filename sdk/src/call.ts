/** A call without types: what every typed method, page, poll and feed stands on. */

import type { Message, Method, Send } from "./transport.ts";

/** A good answer with what stands beside its body. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** The version of the one record that was answered; `ifMatch` takes it. */
  readonly etag: string | undefined;
  /** What a write did: `created`, `updated`, `unchanged` or `existing`, where the service says. */
  readonly result: string | undefined;
  /** Whether the answer is that of an earlier try with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

export type CallMessage = Omit<Message, "method" | "template">;

export interface Calls {
  readonly call: (
    method: Method,
    template: string,
    message?: CallMessage,
  ) => Promise<Answer<unknown>>;
  /** The answer with its body unread. */
  readonly open: (method: Method, template: string, message?: CallMessage) => Promise<Response>;
}

export const createCalls = (send: Send): Calls => ({
  call: (method, template, message) => send({ ...message, method, template }, readAnswer),
  open: (method, template, message) =>
    send({ ...message, method, template }, async (answer) => answer),
});

async function readAnswer(answer: Response): Promise<Answer<unknown>> {
  const { status, headers } = answer;
  const text = await answer.text();
  const isUnchanged = status === 304;
  const isJson = /\bjson\b/.test(headers.get("content-type") ?? "");
  return {
    // JSON that ends too early throws here: the answer broke off.
    data: isUnchanged ? undefined : isJson ? (JSON.parse(text) as unknown) : text,
    status,
    headers,
    etag: headers.get("etag") ?? undefined,
    result: headers.get("x-result") ?? undefined,
    isReplayed: headers.get("idempotency-replayed") === "true",
  };
}
