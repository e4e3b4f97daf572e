/** The state of a request's caller while the request is running. */

import type { RequestParty } from "../admission/index.ts";
import type { CountedCall } from "./limiter.ts";
import type { CallerFacts, WithCaller } from "../http/index.ts";

/** The caller of a request and how the request was counted. */
export interface CallerState<C> extends CallerFacts {
  readonly caller: C;
  /** Whether the caller was read from the database for this request rather than from a cache. */
  readonly isFresh: boolean;
  /** Whether the body or the response is a stream, whose duration depends on the client. */
  isStreamed: boolean;
  counted: CountedCall | undefined;
}

/** A request with the state of its caller. */
export type Known<C> = WithCaller<CallerState<C>> & { party?: RequestParty };

/** Returns the state of a request's caller. Undefined if its credential was not recognized. */
export const callerStateOf = (
  request: Known<unknown>,
): Pick<CallerState<unknown>, "holder" | "identity" | "isStreamed"> | undefined =>
  request.callerState;
