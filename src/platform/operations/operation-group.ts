/** Defines how a group of operations authenticates its callers, checks their permissions and applies their limits. */

import type { FastifyRequest } from "fastify";
import type { Db } from "../database/index.ts";
import type { DiskReserve } from "../storage/index.ts";
import type { Credential, ResponseStore } from "./idempotency.ts";
import type { InProgress } from "./in-progress.ts";
import type { LimitedCredential, Limiter } from "./limiter.ts";
import type { Identity } from "../http/index.ts";

/**
 * Authenticates the caller: with `refresh` from the database, otherwise possibly from a cache.
 * Throws 401 if the credential is unknown, and 403 if it is not allowed from this address.
 */
export type Authenticate<C> = (request: FastifyRequest, refresh: boolean) => Promise<C>;

/** Authenticates the caller, and throws 403 if it lacks the permission. Does not count the call. */
export type Admit<C> = (request: FastifyRequest, permission: string) => Promise<C>;

/** Thrown when an operation finds that its cached caller is out of date. The operation is then run again. */
export class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
}

/** What a group of operations shares: authentication, limits, and how writes are made. */
export interface OperationGroup<C> {
  readonly authenticate: Authenticate<C>;
  /** Whether a cached caller has changed. Default: always. */
  readonly hasChanged?: (cached: C, now: C) => boolean;
  /** Throws 403 if the caller lacks the operation's permission. */
  readonly permit: (caller: C, permission: string) => void;
  readonly sql: Db;
  /** Stores responses by Idempotency-Key. If omitted, keys are not supported. */
  readonly keyed?: {
    readonly responses: ResponseStore;
    readonly credentialOf: (caller: C) => Credential;
  };
  /** Counts the calls. If omitted, there are no limits. */
  readonly limited?: {
    readonly limiter: Limiter;
    readonly inProgress: InProgress;
    readonly credentialOf: (caller: C) => LimitedCredential;
  };
  /** The tenant and credential for the log. */
  readonly identityOf?: (caller: C) => Identity;
  /** Refuses writes while the disk is full. */
  readonly disk?: Pick<DiskReserve, "mustHaveSpace"> | undefined;
  /** Whether every response has `Server-Timing`, even if it was not requested. */
  readonly isTimed?: boolean;
}
