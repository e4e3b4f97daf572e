/** Trying an endpoint: one request, marked as a trial, and what came of it. Nothing of it is kept. */

import type { Logger } from "pino";
import type { Clock } from "../platform/clock/index.ts";
import { OutgoingError, type Outgoing, type OutgoingRequest } from "../platform/outgoing/index.ts";

export interface TryDeps {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  /** The operator's: it gets the reason of a failure, which the response may not contain. */
  readonly log: Pick<Logger, "warn">;
}

const ANSWER_MAX = 2048;

/** Sends a request and tells how it went; never throws for what the other side does. */
export async function trySending({ outgoing, clock, log }: TryDeps, request: OutgoingRequest) {
  const { method, url, body } = request;
  const begun_ms = clock.now_ms();
  const tried = () => ({
    request: { method, url, body: body ?? null },
    duration_ms: Math.round(clock.now_ms() - begun_ms),
  });
  try {
    const answer = await outgoing.send({ ...request, headers: marked(request.headers) });
    const text = answer.body.subarray(0, ANSWER_MAX).toString("utf8").replaceAll("\0", "\uFFFD");
    const { status } = answer;
    return { ...tried(), status, body: text, fault: null, problem: null, answer };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const { fault, problem } = error.shown;
    log.warn({ fault: error.fault, reason: error.message }, "A test request failed");
    return { ...tried(), status: null, body: null, fault, problem, answer: undefined };
  }
}

/** So that an endpoint can tell a trial from the real thing. */
const marked = (headers: OutgoingRequest["headers"]): OutgoingRequest["headers"] => ({
  ...headers,
  "leadport-test": "true",
});

/** Whether an answer, if there was one, is a 2xx. */
export const isTaken = (answer: { readonly status: number } | undefined): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;
