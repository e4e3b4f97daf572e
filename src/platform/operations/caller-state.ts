/** What is known of the caller of a request while it runs. */

import type { FastifyRequest } from "fastify";
import type { RequestParty } from "../admission/index.ts";
import type { CountedCall } from "./limiter.ts";
import type { CallerFacts, WithCaller } from "../http/index.ts";

/** The caller of a request, and how the request was counted. */
export interface CallerState<C> extends CallerFacts {
  readonly caller: C;
  /** Whether the caller was read from the database for this call. */
  readonly isFresh: boolean;
  /** Its body or its response is a stream, which takes as long as the client likes. */
  isStreamed: boolean;
  counted: CountedCall | undefined;
}

/** A request with what is known of its caller. */
export type Known<C> = WithCaller<CallerState<C>> & { party?: RequestParty };

/** What is known of the caller of a request; undefined if its credential was not recognized. */
export const callerStateOf = (
  request: FastifyRequest,
): Pick<CallerState<unknown>, "holder" | "identity" | "isStreamed"> | undefined =>
  (request as Known<unknown>).callerState;
