/**
 * What a delivery is about, as the service passes it in. This module knows topics and bytes, never what they
 * stand for.
 */

import type { Scope } from "../audit/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import type { OutgoingAnswer, OutgoingFault, OutgoingRequest } from "../platform/outgoing/index.ts";

/** A request that is signed with these secrets (`whsec_…`), newest first; without any, not at all. */
export interface SignedRequest extends OutgoingRequest {
  readonly secrets?: readonly string[];
}

/** What a topic learns of a delivery of its own. */
export interface SentDelivery {
  readonly id: string;
  readonly subject_id: string;
}

export interface Topic {
  /**
   * What to send, created for every attempt, so that it goes where the settings say now and no
   * secret waits in the queue. "skip" where it is no longer wanted: the delivery ends as failed.
   */
  readonly request: (scope: Scope<Db>, delivery: SentDelivery) => Promise<SignedRequest | "skip">;
  /** Runs in the transaction that notes the first 2xx: once for a delivery, whatever races. */
  readonly onDelivered: (
    scope: Scope<Tx>,
    delivery: SentDelivery,
    answer: OutgoingAnswer,
  ) => Promise<void>;
  /** Runs in the transaction that gives it up: tried for the last time, 410, or not wanted. */
  readonly onGivenUp?: (
    scope: Scope<Tx>,
    delivery: SentDelivery,
    ended: "failed" | "gone",
  ) => Promise<void>;
}

export type Topics = Readonly<Record<string, Topic>>;

/** Why an attempt has no answer, or why its answer did not count. */
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
