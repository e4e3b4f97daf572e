/**
 * The interface between deliveries and their topics. Other modules implement the topics. The delivery module itself
 * does not know what their requests mean.
 */

import type { Scope } from "../audit/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import type {
  OutgoingResponse,
  OutgoingFault,
  OutgoingRequest,
} from "../platform/outgoing/index.ts";

/** A request, and the secrets to sign it with (`whsec_…`), newest first. Without secrets, it is not signed. */
export interface SignedRequest extends OutgoingRequest {
  readonly secrets?: readonly string[];
}

/** The properties of a delivery that are passed to its topic. */
export interface SentDelivery {
  readonly id: string;
  readonly subject_id: string;
  /** When a 2xx response was first received; null if there was none. */
  readonly delivered_ts: number | null;
}

export interface Topic {
  /**
   * Creates the request. Called for each attempt, so that attempts use the current settings and the queue contains no
   * secrets. Returns "skip" if the delivery is no longer wanted. The delivery then ends as failed.
   */
  readonly request: (scope: Scope<Db>, delivery: SentDelivery) => Promise<SignedRequest | "skip">;
  /** Runs in the transaction that records the first 2xx, and therefore exactly once per delivery. */
  readonly onDelivered: (
    scope: Scope<Tx>,
    delivery: SentDelivery,
    answer: OutgoingResponse,
  ) => Promise<void>;
  /**
   * Runs in the transaction in which the delivery fails for good: after the last attempt, a 410 response, or "skip".
   */
  readonly onGivenUp?: (
    scope: Scope<Tx>,
    delivery: SentDelivery,
    last: LastAttempt,
  ) => Promise<void>;
}

/** The attempt after which a delivery has failed for good. */
export interface LastAttempt {
  /** "gone" after a 410 response. */
  readonly ended: "failed" | "gone";
  readonly at_ms: number;
  /** The URL of the request, or null if none was sent. */
  readonly url: string | null;
}

export type Topics = Readonly<Record<string, Topic>>;

/** The reasons why an attempt can fail, other than the response status. */
export const FAULTS = [
  "bad_url",
  "refused_address",
  "unresolved",
  "timeout",
  "connection",
  "tls",
  "skipped",
  "internal",
] as const satisfies readonly (OutgoingFault | "skipped" | "internal")[];

export type Fault = (typeof FAULTS)[number];
