/** Sends a test request to an endpoint and returns the outcome. Nothing is stored. */

import type { Logger } from "pino";
import type { Clock } from "../platform/clock/index.ts";
import { OutgoingError, type Outgoing, type OutgoingRequest } from "../platform/outgoing/index.ts";

export interface TryDeps {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  /** Logs the reason for a failure for the operator, because the API response must not reveal it. */
  readonly log: Pick<Logger, "warn">;
}

const ANSWER_MAX = 2048;

/** Sends a test request. Endpoint failures are returned, not thrown. */
export async function trySending({ outgoing, clock, log }: TryDeps, request: OutgoingRequest) {
  const { method, url, body } = request;
  const start_ms = clock.now_ms();
  const tried = () => ({
    request: { method, url, body: body ?? null },
    duration_ms: Math.round(clock.now_ms() - start_ms),
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

/** Adds the header by which endpoints recognize test requests. */
const marked = (headers: OutgoingRequest["headers"]): OutgoingRequest["headers"] => ({
  ...headers,
  "leadport-test": "true",
});

/** Whether there was a 2xx response. */
export const isAccepted = (answer: { readonly status: number } | undefined): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;
