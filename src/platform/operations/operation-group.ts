/** How the callers of a group of operations are recognized, what they may do, and what is counted for them. */

import type { FastifyRequest } from "fastify";
import type { Db } from "../database/index.ts";
import type { DiskReserve } from "../storage/index.ts";
import type { AnswerKeeper, Credential } from "./idempotency.ts";
import type { InProgress } from "./in-progress.ts";
import type { LimitedCredential, Limiter } from "./limiter.ts";
import type { Identity } from "../http/index.ts";

/**
 * Recognizes the caller: from the database with `refresh`, otherwise maybe from memory. Throws 401 if it is not
 * known, 403 if the credential may not be used from this address.
 */
export type Authenticate<C> = (request: FastifyRequest, refresh: boolean) => Promise<C>;

/** The same, and 403 where the caller lacks the permission; nothing is counted. */
export type Admit<C> = (request: FastifyRequest, permission: string) => Promise<C>;

/** Thrown where an operation finds that its caller is no longer as it was remembered; it is run again. */
export class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
}

/** What a group of operations shares: who calls them, and how their writes are made. */
export interface OperationGroup<C> {
  readonly authenticate: Authenticate<C>;
  /** Whether a caller that was remembered has changed; always without it. */
  readonly hasChanged?: (remembered: C, now: C) => boolean;
  /** Throws 403 where the caller lacks what the operation needs. */
  readonly permit: (caller: C, permission: string) => void;
  readonly sql: Db;
  /** Who keeps answers by Idempotency-Key, and whose keys they are; without it none are taken. */
  readonly keyed?: {
    readonly keeper: AnswerKeeper;
    readonly credentialOf: (caller: C) => Credential;
  };
  /** Who counts the calls, and by which limit; without it there is none. */
  readonly limited?: {
    readonly limiter: Limiter;
    readonly inProgress: InProgress;
    readonly credentialOf: (caller: C) => LimitedCredential;
  };
  /** Whose credential the log shows. */
  readonly identityOf?: (caller: C) => Identity;
  /** Refuses writes while the disk is full. */
  readonly disk?: Pick<DiskReserve, "mustHaveSpace"> | undefined;
  /** Whether every answer tells its times, not only those that are asked to. */
  readonly isTimed?: boolean;
}
