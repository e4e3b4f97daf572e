/** What is known of the caller of a request while it runs. */

import type { FastifyRequest } from "fastify";
import type { RequestParty } from "../admission/index.ts";
import type { CountedCall } from "./limiter.ts";
import type { Identity } from "../http/index.ts";

/** Who asks, whether that was found out for this call, and that the call was counted. */
export interface CallerState<C> {
  readonly caller: C;
  /** The credential by which the bytes of its body are counted. */
  readonly holder: string | undefined;
  /** Whose credential it is, for the log. */
  readonly identity: Identity | undefined;
  readonly isFresh: boolean;
  /** Its body or its response is a stream, which takes as long as the client likes. */
  isStreamed: boolean;
  counted: CountedCall | undefined;
}

/** A request with what is known of its caller. */
export type Known<C> = FastifyRequest & { callerState?: CallerState<C>; party?: RequestParty };

/** What is known of the caller of a request; undefined if its credential was not recognized. */
export const callerStateOf = (
  request: FastifyRequest,
): Pick<CallerState<unknown>, "holder" | "identity" | "isStreamed"> | undefined =>
  (request as Known<unknown>).callerState;
